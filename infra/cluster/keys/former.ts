import { setTimeout as pause } from 'node:timers/promises';
import type { RedisClient } from '../redis/client.ts';
import { keysOf } from '../redis/names.ts';
import { nodesOf } from '../redis/nodes.ts';
import { noteRemoval } from '../redis/own-files.ts';

/** Names of Redis that are looked at in a step, and the pause between two: others' calls don't wait for longer. */
const AT_ONCE = 500;
const PAUSE_MS = 5;

/**
 * Removes what former releases kept in Redis of every key, for ever: the keys are in the index now. It may be interrupted
 * anywhere, and repeated. Returns how many names it removed.
 */
export const removeFormerKeys = async (
  redis: RedisClient,
  namespace: string,
  signal: AbortSignal,
): Promise<number> => {
  const former = `${keysOf(namespace)}sealing:`;
  // The note of what has to leave Redis' files is of this release, too.
  const isFormer = (name: string): boolean => name !== `${former}files`;
  const pattern = `${former.replace(/[*?[\]\\]/g, '\\$&')}*`;
  let count = 0;
  for (const node of nodesOf(redis).all) {
    let cursor = '0';
    do {
      if (signal.aborted) return count;
      const [next, names] = await node.redis.scan(cursor, 'MATCH', pattern, 'COUNT', AT_ONCE);
      cursor = next;
      const found = names.filter(isFormer);
      if (found.length > 0) await noteRemoval(redis, namespace);
      // One by one: they are in several slots of a Redis Cluster.
      // A name may be found twice.
      const removed = await Promise.all(found.map(name => redis.unlink(name)));
      count += removed.reduce((sum, one) => sum + one, 0);
      await pause(PAUSE_MS);
    } while (cursor !== '0');
  }
  return count;
};
