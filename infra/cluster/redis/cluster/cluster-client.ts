import { setTimeout as pause } from 'node:timers/promises';
import { Command, Redis } from 'ioredis';
import { isOutage, unavailable } from '../../../../core/errors.ts';
import {
  type Address,
  addressesOf,
  backoff,
  type Connection,
  type ConnectOptions,
  connectServer,
  faultOf,
  nameOf,
  type RedisConnection,
  ready,
  unreachable,
} from '../connection.ts';
import { provideNodes } from './nodes.ts';
import { type Primary, primariesOf, redirectionIn, slotsOf } from './topology.ts';

/**
 * The pause before a command whose keys are being moved is sent again. Ends when the command's time is over.
 */
const AGAIN_MS = 20;
/** The most redirections of a command: a slot moves once, and its former owner may learn of that later. */
const MOST_REDIRECTIONS = 5;

interface Server extends Primary, Connection {}

/** Connections to all primaries, opened and ended together. */
interface Session {
  servers: readonly Server[];
  /** By slot: an index in `servers`. */
  owners: (number | undefined)[];
  /** The ids of all primaries, including those without slots that can't be reached. */
  known: ReadonlySet<string>;
}

const endAll = (connections: readonly Connection[]): void => {
  for (const { redis } of connections) redis.disconnect();
};

/** Asks these servers for the primaries, one after the other, until one answers. */
const findPrimaries = async (connection: RedisConnection, seeds: readonly Address[]): Promise<Primary[]> => {
  let fault: unknown;
  for (const seed of seeds) {
    const { redis } = connectServer(connection, { once: true, onTrouble: error => (fault = error) }, seed);
    try {
      await ready(redis);
      const shards = (await redis.cluster('SHARDS')) as unknown[];
      const found = primariesOf(shards, seed, connection.redisUrl.startsWith('rediss:'));
      if (found.some(({ slots }) => slots.length > 0)) return found;
      fault = unavailable(`Redis at ${nameOf(seed)} serves no slots.`);
    } catch (error) {
      fault ??= error;
    } finally {
      redis.disconnect();
    }
  }
  throw fault;
};

/** Connects to every primary. A primary without slots may be unreachable: it holds no data. */
const openSession = async (connection: RedisConnection, seeds: readonly Address[]): Promise<Session> => {
  const primaries = await findPrimaries(connection, seeds);
  const wanted = primaries.filter(({ slots, isWell }) => isWell || slots.length > 0);
  const faults = new Map<string, unknown>();
  const opened = wanted.map(primary => ({
    ...primary,
    ...connectServer(connection, { once: true, onTrouble: fault => faults.set(primary.id, fault) }, primary),
  }));
  const outcomes = await Promise.allSettled(
    opened.map(({ redis, ...primary }) =>
      ready(redis).catch(() => {
        throw faults.get(primary.id) ?? unreachable(undefined, `Redis at ${nameOf(primary)}`);
      }),
    ),
  );
  const failed = outcomes.find((one, at) => one.status === 'rejected' && opened[at]!.slots.length > 0);
  if (failed?.status === 'rejected') {
    endAll(opened);
    throw failed.reason;
  }
  const servers = opened.filter(({ redis }) => redis.status === 'ready');
  return { servers, owners: slotsOf(servers), known: new Set(primaries.map(({ id }) => id)) };
};

interface Routing {
  /** Whether the command may still be sent. */
  isCurrent(): boolean;
  /** Ends the session: its connections no longer reach all primaries. */
  end(): void;
}

/** Sends the command to the server of its slot and follows redirections, which come before it runs. */
const route = (command: Command, session: Session, { isCurrent, end }: Routing): void => {
  const { reject } = command;
  const slot = command.getSlot() as number | null;
  let redirections = 0;
  let target: Server | undefined;
  const give = (to: Server | undefined): void => {
    target = to;
    if (to) to.send(command);
    else reject(unavailable('A slot of Redis is served by nobody.', undefined, 2));
  };
  const start = (): void =>
    give(slot === null ? session.servers[0] : session.servers[session.owners[slot] ?? -1]);
  const startAgain = (): void => {
    redirections = 0;
    if (isCurrent() && !command.isSettled) start();
    else reject(unreachable());
  };
  command.reject = error => {
    const found = target && redirectionIn(error, target);
    const at = found && 'to' in found ? session.servers.findIndex(one => nameOf(one) === found.to) : -1;
    // The next command goes there, even if this one, such as the gate's own, may not be sent again.
    if (found?.kind === 'moved' && at >= 0) session.owners[found.slot] = at;
    if (!found || command.isSettled || !isCurrent() || redirections++ > MOST_REDIRECTIONS)
      return reject(faultOf(error, target && `Redis at ${nameOf(target)}`));
    if (found.kind === 'again') {
      setTimeout(startAgain, AGAIN_MS);
      return;
    }
    const next = session.servers[at];
    if (!next) {
      reject(unreachable(undefined, `Redis at ${found.to}`));
      return end();
    }
    if (found.kind === 'ask') next.redis.call('ASKING').catch(() => {});
    give(next);
  };
  start();
};

/**
 * Connects one client to all primaries of a Redis Cluster. Each command goes to the server of its first key's
 * slot, a command without keys to any server. MOVED, ASK and TRYAGAIN come before a command runs and are
 * followed; nothing else is ever sent twice. The connections to all primaries open and end together as if
 * they were one, and emit `ready`, `close` and `end` together. No command passes from one set of connections
 * to the next, so the gate's promise holds for all servers at once.
 */
export const connectCluster = (
  connection: RedisConnection,
  { isOpen = () => true, once = false, onTrouble = () => {} }: ConnectOptions,
): Redis => {
  const client = new Redis({ lazyConnect: true });
  let session: Session | undefined;
  let trouble: Error | undefined;
  let closed = false;
  let seeds = addressesOf(connection);

  const end = (ended: Session, mayReturn = !once): void => {
    if (session !== ended) return;
    session = undefined;
    endAll(ended.servers);
    client.status = 'close';
    client.emit('close');
    if (mayReturn) void join();
    else client.emit('end');
  };

  const join = async (): Promise<void> => {
    for (let attempt = 0; !closed; attempt++) {
      try {
        const opened = await openSession(connection, seeds);
        if (closed) return endAll(opened.servers);
        // The servers in the configuration may be replaced one after the other.
        seeds = [
          ...new Map([...addressesOf(connection), ...opened.servers].map(one => [nameOf(one), one])).values(),
        ];
        session = opened;
        trouble = undefined;
        for (const { redis } of opened.servers) redis.once('close', () => end(opened));
        if (opened.servers.some(({ redis }) => redis.status !== 'ready')) return end(opened);
        client.status = 'ready';
        client.emit('ready');
        return;
      } catch (error) {
        trouble = isOutage(error) ? (error as Error) : unreachable(error as Error);
        onTrouble(trouble);
        if (once) return void client.emit('end');
        await pause(backoff(attempt));
      }
    }
  };

  client.sendCommand = command => {
    const current = session;
    if (!current || !isOpen()) command.reject(trouble ?? unreachable());
    // A command sent before the gate closed must not run after it.
    else
      route(command, current, { isCurrent: () => session === current && isOpen(), end: () => end(current) });
    return command.promise;
  };
  client.disconnect = (reconnect = false) => {
    closed ||= !reconnect;
    if (session) end(session, reconnect);
  };
  provideNodes(client, () => ({
    all: (session?.servers ?? []).map(server => ({ ...server, name: `Redis at ${nameOf(server)}` })),
    of: key => {
      const owner = session?.owners[new Command('get', [key]).getSlot()];
      return owner === undefined ? undefined : session!.servers[owner]!.id;
    },
    known: session?.known ?? new Set(),
  }));
  void join();
  return client;
};
