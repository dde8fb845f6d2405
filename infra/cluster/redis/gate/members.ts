/** What the gate has to know of each server of Redis, and what it decides from that. */
import { unavailable } from '../../../../core/errors.ts';
import { type RedisClient, redisScript } from '../client.ts';
import { isCluster, nodesOf, type RedisNode } from '../cluster/nodes.ts';
import { type Statement, statementIn } from '../cluster/topology.ts';

export interface Member extends Statement {
  /** See `RedisNode`. */
  id: string;
  /** Of its process: it changes with every start. */
  runId: string;
  /** Why it can't be used; undefined when it can. */
  unfit: string | undefined;
}

/** A server alone has everything. */
const ALONE: Statement = { isPrimary: true, slots: 'all', movesTo: [], primaries: [''] };

/** The one policy with which Redis keeps everything until its time is over. */
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
  // On one connection, so that all of it is said by one process of the server.
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

/** Whether the client has to connect to other servers: one is no primary any more, or another one has joined. */
export const isOutdated = (redis: RedisClient, members: readonly Member[]): boolean => {
  const { known } = nodesOf(redis);
  return members.some(({ isPrimary, primaries }) => !isPrimary || primaries.some(id => !known.has(id)));
};

/** The run ids of the marker, whose servers have all that they ever acknowledged. */
const trustedIn = (runIds: string): Set<string> => new Set(runIds.split(' '));

export const runIdsOf = (members: readonly Member[]): string =>
  members
    .map(({ runId }) => runId)
    .sort()
    .join(' ');

/**
 * Whether nothing was lost: who has slots, or receives some, is a process that the marker lists. One that was receiving slots and is
 * gone took their keys with it: who sends them still names it.
 */
export const hasAll = (runIds: string, members: readonly Member[]): boolean => {
  const trusted = trustedIn(runIds);
  const there = new Set(members.filter(({ runId }) => trusted.has(runId)).map(({ id }) => id));
  return members.every(
    ({ id, slots, movesTo }) => (slots === '' || there.has(id)) && movesTo.every(to => there.has(to)),
  );
};

/**
 * The run ids with those of primaries that have no slots yet, which hold nothing and so can't have lost anything; undefined when the
 * marker lists them. Slots that move to them later bring their keys along.
 */
export const withNewcomers = (runIds: string, members: readonly Member[]): string | undefined => {
  const trusted = trustedIn(runIds);
  const isNew = ({ slots, runId }: Member): boolean => slots === '' && !trusted.has(runId);
  if (!members.some(isNew)) return undefined;
  return runIdsOf(members.filter(one => isNew(one) || trusted.has(one.runId)));
};

/** How long after its last sign of life a connection may still bring a command to Redis. */
const LATE_MS = 60 * 60_000;

/** KEYS: the connections of all processes. ARGV: those of one, milliseconds. In the order of their last signs of life. */
const keepNoted = redisScript(
  `local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.0f', now - ARGV[2]))
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1`,
  { evenWhenFull: true },
);

/** Of a connection to each server: the server's run id, then its number there. */
export const connectionsOf = async (redis: RedisClient, members: readonly Member[]): Promise<string> => {
  const { all } = nodesOf(redis);
  const runIds = new Map(members.map(({ id, runId }) => [id, runId]));
  const own = all.map(async node => `${runIds.get(node.id)} ${await node.redis.client('ID')}`);
  return (await Promise.all(own)).join(' ');
};

/** Notes in Redis who may still have commands on their way. */
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
