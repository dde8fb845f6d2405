import { partitionsOf } from '../../../services/core/log/positions.ts';
import type { LogRecord, SharedLog } from '../../../services/core/ports.ts';
import type { KeyCopy } from './copy.ts';
import { keyOf, tombstone } from './record.ts';

/** Records per read and per write. */
const PAGE = 1_000;

type Log = Pick<SharedLog, 'append' | 'read' | 'ends'>;

export async function* keyPages(log: Log, partition: number, end: number): AsyncGenerator<LogRecord[]> {
  // Compaction leaves gaps between offsets, and perhaps no record before the end.
  for (let offset = 0; offset < end; ) {
    const records = await log.read('keys', partition, offset, PAGE);
    const last = records.at(-1);
    if (!last) return;
    yield records;
    offset = last.offset + 1;
  }
}

/**
 * Ids that the log has destroyed. Ids are never reused, so a record after its tombstone is a late copy of an earlier one:
 * it is destroyed again, before compaction removes the tombstone and leaves the record.
 */
const destroyedIn = async (log: Log, partition: number, end: number): Promise<Set<string>> => {
  const destroyed = new Set<string>();
  const late = new Map<string, string>();
  for await (const records of keyPages(log, partition, end)) {
    for (const record of records) {
      const key = keyOf(record);
      const id = key?.keyId ?? record.name;
      if (id === undefined) continue;
      if (!key) {
        destroyed.add(id);
        late.delete(id);
      } else if (destroyed.has(id)) late.set(id, key.owner);
    }
  }
  if (late.size > 0) await log.append([...late].map(([id, owner]) => tombstone(owner, id)));
  return destroyed;
};

/**
 * Writes the whole topic to Redis; the caller has already dropped all keys there. The copy stays marked incomplete until
 * the end. Reads the topic twice: destroyed keys must be known before the first key is written.
 */
export const restoreKeys = async (log: Log, copy: KeyCopy): Promise<void> => {
  await copy.begin();
  for (const { partition, offset: end } of partitionsOf(await log.ends(), 'keys')) {
    const destroyed = await destroyedIn(log, partition, end);
    for await (const records of keyPages(log, partition, end)) {
      const keys = records.map(keyOf).filter(key => key !== undefined && !destroyed.has(key.keyId));
      // All calls use one connection, which keeps this order.
      await Promise.all(keys.map(key => copy.put(key!)));
    }
  }
  await copy.finish();
};
