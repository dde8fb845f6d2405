import { lookup, Resolver } from 'node:dns/promises';

/** Returns the addresses that a host's name leads to; none where it leads nowhere. */
export type Resolve = (host: string) => Promise<string[]>;

/** Per attempt: a name server that doesn't answer is not waited for longer than the whole delivery. */
const RESOLVER = { timeout: 3_000, tries: 2 };

/**
 * Asks name servers directly: what the system's own resolution needs is a thread of the process for as long
 * as a server of somebody's choice lets it wait. It knows no names of this machine, and needs none.
 */
export const resolvePublic = (): Resolve => {
  const resolver = new Resolver(RESOLVER);
  return async host => {
    const none = (): string[] => [];
    const [four, six] = await Promise.all([
      resolver.resolve4(host).catch(none),
      resolver.resolve6(host).catch(none),
    ]);
    return [...four, ...six];
  };
};

/** As the system does, with its own names: where an operator allows private addresses. */
export const resolveAny: Resolve = async host =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
