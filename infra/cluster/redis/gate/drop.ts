import { isOutage } from '../../../../core/errors.ts';
import { isCluster, nodesOf, type RedisNode } from '../cluster/nodes.ts';
import type { RedisClient } from '../redis-client.ts';
import { type Member, readMembers } from './members.ts';

const AT_ONCE = 1_000;

const unlinkAlone = async ({ redis }: RedisNode, keys: readonly string[]): Promise<number> =>
  keys.length === 0 ? 0 : redis.unlink(...keys);

/** Unlinks one key on the server where it was found, even in a slot that the server is receiving. */
const unlinkInSlot = async (redis: RedisClient, key: string): Promise<number> => {
  const asking = redis.call('ASKING');
  try {
    const [, count] = await Promise.all([asking, redis.unlink(key)]);
    return count;
  } catch (error) {
    const answer = isOutage(error) ? (error as { cause?: Error }).cause?.message : undefined;
    // The key has been moved on since it was found.
    if (answer?.startsWith('ASK')) return 1;
    // The server has lost the slot, so nobody can read the key there.
    if (answer?.startsWith('MOVED')) return 0;
    throw error;
  }
};

/** Drops the keys with the pattern on one server; returns how many it found. */
const dropOn = async (
  node: RedisNode,
  pattern: string,
  spared: ReadonlySet<string>,
  unlink: typeof unlinkAlone,
): Promise<number> => {
  let count = 0;
  let cursor = '0';
  do {
    const [next, keys] = await node.redis.scan(cursor, 'MATCH', pattern, 'COUNT', AT_ONCE);
    cursor = next;
    count += await unlink(
      node,
      keys.filter(key => !spared.has(key)),
    );
  } while (cursor !== '0');
  return count;
};

const slotsText = (members: readonly Member[]): string =>
  members.map(({ id, runId, slots }) => `${id} ${runId} ${slots}`).join('\n');

/**
 * Drops all keys with this prefix except the spared ones, on every server. Never uses FLUSH: several
 * installations may share a server. While slots move in a Redis Cluster, a key may be missed: servers that
 * send slots are scanned first, and the scan repeats until it finds no key and no slot moved.
 */
export const drop = async (
  redis: RedisClient,
  prefix: string,
  spared: ReadonlySet<string>,
): Promise<void> => {
  const pattern = `${prefix.replace(/[*?[\]\\]/g, '\\$&')}*`;
  const { all } = nodesOf(redis);
  if (!isCluster(redis)) {
    await dropOn(all[0]!, pattern, spared, unlinkAlone);
    return;
  }
  const unlinkEach: typeof unlinkAlone = async (node, keys) => {
    const counts = await Promise.all(keys.map(key => unlinkInSlot(node.redis, key)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  for (;;) {
    const members = await readMembers(redis);
    const senders = new Set(members.filter(({ movesTo }) => movesTo.length > 0).map(({ id }) => id));
    let found = 0;
    for (const sends of [true, false]) {
      const nodes = all.filter(({ id }) => senders.has(id) === sends);
      const counts = await Promise.all(nodes.map(node => dropOn(node, pattern, spared, unlinkEach)));
      for (const count of counts) found += count;
    }
    if (found === 0 && slotsText(await readMembers(redis)) === slotsText(members)) return;
  }
};
