import { partitionsOf } from '../../../services/core/log/positions.ts';
import type { LogRecord, SharedLog } from '../../../services/core/ports.ts';
import type { KeyCopy } from './copy.ts';
import { keyOf, tombstone } from './record.ts';

/** Records per read and per write. */
const PAGE = 1_000;

type Log = Pick<SharedLog, 'append' | 'read' | 'ends'>;

export async function* keyPages(
  log: Pick<Log, 'read'>,
  partition: number,
  end: number,
  from = 0,
): AsyncGenerator<LogRecord[]> {
  // Compaction leaves gaps between offsets, and perhaps no record before the end.
  for (let offset = from; offset < end; ) {
    const records = await log.read('keys', partition, offset, PAGE);
    const last = records.at(-1);
    if (!last) return;
    yield records;
    offset = last.offset + 1;
  }
}

/** What has to be known of a partition before its first key is written. */
interface Known {
  /** Ids that the log has destroyed. */
  destroyed: ReadonlySet<string>;
  /** Ids of the users' keys that it holds. */
  users: ReadonlySet<string>;
}

/**
 * Ids are never reused, so a record after its tombstone is a late copy of an earlier one: it is destroyed again, before
 * compaction removes the tombstone and leaves the record.
 */
export const knownOf = async (
  log: Pick<Log, 'append' | 'read'>,
  partition: number,
  end: number,
  from = 0,
): Promise<Known> => {
  const destroyed = new Set<string>();
  const users = new Set<string>();
  const late = new Map<string, string>();
  for await (const records of keyPages(log, partition, end, from)) {
    for (const record of records) {
      const key = keyOf(record);
      const id = key?.keyId ?? record.name;
      if (id === undefined) continue;
      if (!key) {
        destroyed.add(id);
        users.delete(id);
        late.delete(id);
      } else if (destroyed.has(id)) late.set(id, key.owner);
      else if (key.under === '') users.add(id);
    }
  }
  if (late.size > 0) await log.append([...late].map(([id, owner]) => tombstone(owner, id)));
  return { destroyed, users };
};

/**
 * Writes the whole topic to Redis; the caller has already dropped all keys there. The copy stays marked incomplete until
 * the end. Reads the topic twice: destroyed keys must be known before the first key is written.
 *
 * A key without the one that wraps it is dead, and is left out: it would take the place of its session's living one. What
 * the sweep of an erasure had not reached gets its tombstone here, since the marks were in Redis.
 */
export const restoreKeys = async (log: Log, copy: KeyCopy): Promise<void> => {
  await copy.begin();
  for (const { partition, offset: end } of partitionsOf(await log.ends(), 'keys')) {
    const { destroyed, users } = await knownOf(log, partition, end);
    for await (const records of keyPages(log, partition, end)) {
      const keys = records
        .map(keyOf)
        .filter(key => key !== undefined)
        .filter(({ keyId }) => !destroyed.has(keyId));
      const living = keys.filter(({ under }) => under === '' || users.has(under));
      // All calls use one connection, which keeps this order.
      await Promise.all(living.map(copy.put));
      const dead = keys.filter(({ under }) => destroyed.has(under));
      if (dead.length > 0) await log.append(dead.map(({ owner, keyId }) => tombstone(owner, keyId)));
    }
  }
  await copy.finish();
};
