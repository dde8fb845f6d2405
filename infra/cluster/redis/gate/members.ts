/** The state of each Redis server as the gate needs it, and the gate's decisions. */
import { unavailable } from '../../../../core/errors.ts';
import { isCluster, nodesOf, type RedisNode } from '../cluster/nodes.ts';
import { type Statement, statementIn } from '../cluster/topology.ts';
import { type RedisClient, redisScript } from '../redis-client.ts';

export interface Member extends Statement {
  /** See `RedisNode`. */
  id: string;
  /** The run id of its process, which changes with every start. */
  runId: string;
  /** The reason why it can't be used; undefined if it can. */
  unfit: string | undefined;
}

/** A single server has all slots. */
const ALONE: Statement = { isPrimary: true, slots: 'all', movesTo: [], primaries: [''] };

/** The only policy under which Redis keeps every key until it expires. */
const POLICY = 'noeviction';

const fieldIn = (info: string, name: string): string | undefined =>
  new RegExp(`^${name}:(\\S+)`, 'm').exec(info)?.[1];

export const runIdIn = (info: string): string => {
  const found = fieldIn(info, 'run_id');
  if (found === undefined) throw unavailable('Redis does not report its run id.');
  return found;
};

const unfitBy = (name: string, info: string): string | undefined => {
  const policy = fieldIn(info, 'maxmemory_policy');
  if (policy === undefined || policy === POLICY) return undefined;
  return `${name} has the maxmemory-policy ${policy}, which deletes what is still needed: set it to ${POLICY}.`;
};

const memberOf = async ({ id, name, redis }: RedisNode, isAlone: boolean): Promise<Member> => {
  // One connection, so that both answers come from the same process of the server.
  const [info, nodes] = await Promise.all([
    redis.info('server', 'memory'),
    isAlone ? undefined : (redis.cluster('NODES') as Promise<string>),
  ]);
  const statement = nodes === undefined ? ALONE : statementIn(nodes);
  return { ...statement, id, runId: runIdIn(info), unfit: unfitBy(name, info) };
};

/** Asks each server. Throws `unavailable` while there is no connection to all of them. */
export const readMembers = async (redis: RedisClient): Promise<Member[]> => {
  const { all } = nodesOf(redis);
  if (all.length === 0) throw unavailable('Redis is unreachable.', undefined, 2);
  return Promise.all(all.map(node => memberOf(node, !isCluster(redis))));
};

/**
 * Returns whether the client must connect to other servers: one is no longer a primary, or another one has
 * joined.
 */
export const isOutdated = (redis: RedisClient, members: readonly Member[]): boolean => {
  const { known } = nodesOf(redis);
  return members.some(({ isPrimary, primaries }) => !isPrimary || primaries.some(id => !known.has(id)));
};

/** Returns the run ids in the marker: these servers have everything that they ever acknowledged. */
const trustedIn = (runIds: string): Set<string> => new Set(runIds.split(' '));

export const runIdsOf = (members: readonly Member[]): string =>
  members
    .map(({ runId }) => runId)
    .sort()
    .join(' ');

/**
 * Returns whether nothing was lost: every server that has or receives slots is a process in the marker. A
 * server that vanished while it received slots took their keys with it; the sender still names it.
 */
export const hasAll = (runIds: string, members: readonly Member[]): boolean => {
  const trusted = trustedIn(runIds);
  const there = new Set(members.filter(({ runId }) => trusted.has(runId)).map(({ id }) => id));
  return members.every(
    ({ id, slots, movesTo }) => (slots === '' || there.has(id)) && movesTo.every(to => there.has(to)),
  );
};

/**
 * Returns the run ids with those of new primaries without slots, which hold no data and so can't have lost
 * any; undefined if the marker lists them already. Slots that move to them later bring their keys along.
 */
export const withNewcomers = (runIds: string, members: readonly Member[]): string | undefined => {
  const trusted = trustedIn(runIds);
  const isNew = ({ slots, runId }: Member): boolean => slots === '' && !trusted.has(runId);
  if (!members.some(isNew)) return undefined;
  return runIdsOf(members.filter(one => isNew(one) || trusted.has(one.runId)));
};

/** How long after its last sign of life a connection may still bring a command to Redis. */
const LATE_MS = 60 * 60_000;

/** KEYS: the connections of all processes. ARGV: those of one, milliseconds. Ordered by last sign of life. */
const keepNoted = redisScript(
  `local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[2]))
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1`,
  { evenWhenFull: true },
);

/** Returns a connection to each server: the server's run id, then the connection's number there. */
export const connectionsOf = async (redis: RedisClient, members: readonly Member[]): Promise<string> => {
  const { all } = nodesOf(redis);
  const runIds = new Map(members.map(({ id, runId }) => [id, runId]));
  const own = all.map(async node => `${runIds.get(node.id)} ${await node.redis.client('ID')}`);
  return (await Promise.all(own)).join(' ');
};

/** Notes in Redis the connections that may still have commands on their way. */
export const noteConnections = async (
  redis: RedisClient,
  key: string,
  connections: string,
): Promise<void> => {
  await keepNoted(redis, [key], [connections, LATE_MS]);
};

/** Ends these connections, so that no command of theirs arrives from now on. */
export const killConnections = async (
  redis: RedisClient,
  members: readonly Member[],
  connections: readonly string[],
): Promise<void> => {
  const nodes = new Map(nodesOf(redis).all.map(node => [node.id, node]));
  const servers = new Map(members.map(({ id, runId }) => [runId, nodes.get(id)!]));
  const killed = connections.flatMap(some => {
    const words = some.split(' ');
    return words.map((runId, at) => servers.get(runId)?.redis.client('KILL', 'ID', words[at + 1]!));
  });
  await Promise.all(killed);
};
