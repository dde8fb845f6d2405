import { offsetIn, partitionsOf } from '../../../services/core/log/positions.ts';
import type { Positions, SharedLog } from '../../../services/core/ports.ts';
import type { KeyCopy } from './copy.ts';
import { condemnKeys, heldPages } from './held-keys.ts';
import type { KeyLog } from './key-log.ts';
import { keyOf } from './record.ts';
import { keyPages, knownOf } from './restore.ts';

export interface CatchUpPorts {
  log: Pick<SharedLog, 'append' | 'read'>;
  copy: Pick<KeyCopy, 'begin' | 'take' | 'read' | 'condemnIds' | 'mark' | 'forget' | 'finish'>;
  keyLog: Pick<KeyLog, 'destroy'>;
}

/**
 * Repeats on the copy that Redis came back with what the topic says between two positions: what it destroyed is forgotten, what it
 * has otherwise is taken. Its new id makes every process drop its cached keys, and refuses keys that were being made.
 */
export const catchUpKeys = async (
  { log, copy, keyLog }: CatchUpPorts,
  from: Positions,
  ends: Positions,
): Promise<number> => {
  await copy.begin();
  let count = 0;
  for (const { topic, partition, offset: end } of partitionsOf(ends, 'keys')) {
    const start = offsetIn(from, { topic, partition });
    const { destroyed } = await knownOf(log, partition, end, start);
    // First, so that a later key of the same session becomes the session's key.
    await forget(copy, [...destroyed]);
    for await (const records of keyPages(log, partition, end, start)) {
      count += records.length;
      const keys = records.map(keyOf).filter(key => key !== undefined && !destroyed.has(key.keyId));
      // All calls use one connection, which keeps this order.
      const taken = await Promise.all(keys.map(async key => ({ key: key!, isTaken: await copy.take(key!) })));
      for (const { key, isTaken } of taken) {
        // A late copy of a key that was destroyed before.
        if (!isTaken) await keyLog.destroy(key.owner, [key.keyId]);
        // Its user was made and destroyed after what Redis holds, so that nothing else says what to sweep.
        if (destroyed.has(key.under)) await copy.mark(key.owner, [key.under]);
      }
    }
  }
  await copy.finish();
  return count;
};

/** Forgets those of the ids that Redis still has. The restart may have lost the marks of users' keys. */
const forget = async (copy: CatchUpPorts['copy'], ids: readonly string[]): Promise<void> => {
  for await (const keys of heldPages(copy, ids))
    for (const [owner, its] of Map.groupBy(keys, key => key.owner))
      await copy.forget(owner, await condemnKeys(copy, owner, its));
};
