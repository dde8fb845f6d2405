/** Parsers for the answers of Redis Cluster servers about the cluster. */
import { type Address, nameOf } from '../connection.ts';

const SLOTS = 16_384;

export interface Primary extends Address {
  id: string;
  /** Pairs of first and last slots. */
  slots: number[];
  isWell: boolean;
}

type Pairs = readonly unknown[];

/** Parses a reply that alternates names and values. */
const fieldsOf = (pairs: Pairs): Map<string, unknown> => {
  const fields = new Map<string, unknown>();
  for (let at = 0; at < pairs.length; at += 2) fields.set(String(pairs[at]), pairs[at + 1]);
  return fields;
};

/** Returns the primaries in the answer of `asked` to CLUSTER SHARDS. `isSecure`: uses the TLS ports. */
export const primariesOf = (shards: Pairs, asked: Address, isSecure: boolean): Primary[] =>
  shards.flatMap(each => {
    const shard = fieldsOf(each as Pairs);
    const slots = (shard.get('slots') as Pairs).map(Number);
    const nodes = (shard.get('nodes') as Pairs[]).map(fieldsOf);
    return nodes
      .filter(node => node.get('role') === 'master')
      .map(node => ({
        id: String(node.get('id')),
        // A server that doesn't know its own address is at the address that was asked.
        host: String(node.get('endpoint') ?? '') || asked.host,
        port: Number((isSecure ? node.get('tls-port') : undefined) ?? node.get('port')),
        slots,
        isWell: node.get('health') !== 'fail',
      }));
  });

/** Returns, by slot, the index of the primary that serves it; undefined for a slot without one. */
export const slotsOf = (primaries: readonly Primary[]): (number | undefined)[] => {
  const owners = new Array<number | undefined>(SLOTS).fill(undefined);
  for (const [index, { slots }] of primaries.entries())
    for (let at = 0; at < slots.length; at += 2) owners.fill(index, slots[at]!, slots[at + 1]! + 1);
  return owners;
};

export type Redirection =
  | { kind: 'moved' | 'ask'; slot: number; to: string }
  /** Some of the command's keys are on their way to another server. */
  | { kind: 'again' };

/** Parses an error that came before the command ran; undefined for any other error. */
export const redirectionIn = ({ name, message }: Error, from: Address): Redirection | undefined => {
  if (name !== 'ReplyError') return undefined;
  const [kind, slot, to = ''] = message.split(' ');
  if (kind === 'TRYAGAIN') return { kind: 'again' };
  if (kind !== 'MOVED' && kind !== 'ASK') return undefined;
  return {
    kind: kind === 'MOVED' ? 'moved' : 'ask',
    slot: Number(slot),
    to: to.startsWith(':') ? nameOf({ ...from, port: Number(to.slice(1)) }) : to,
  };
};

/** A server's own entry in its answer to CLUSTER NODES, and the primaries that it knows. */
export interface Statement {
  isPrimary: boolean;
  /** Its slots, and those moving from or to it, as text; '' if it has none of either. */
  slots: string;
  /** The ids of the servers to which it is moving slots. */
  movesTo: string[];
  /** The ids of the primaries that it can reach. */
  primaries: string[];
}

export const statementIn = (nodes: string): Statement => {
  const lines = nodes
    .trim()
    .split('\n')
    .map(line => line.trim().split(' '))
    .map(([id, , flags, , , , , , ...slots]) => ({ id: id!, flags: flags!.split(','), slots }));
  const own = lines.find(({ flags }) => flags.includes('myself'))!;
  const isReachable = (flags: readonly string[]): boolean =>
    !flags.some(flag => /^(fail|handshake|noaddr)/.test(flag));
  return {
    isPrimary: own.flags.includes('master'),
    slots: own.slots.join(' '),
    movesTo: own.slots.flatMap(slot => /^\[\d+->-(\w+)\]$/.exec(slot)?.[1] ?? []),
    primaries: lines
      .filter(({ flags }) => flags.includes('master') && isReachable(flags))
      .map(({ id }) => id),
  };
};
