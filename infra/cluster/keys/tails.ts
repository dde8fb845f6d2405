import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../../core/errors.ts';
import type { SharedLog } from '../../../core/ports.ts';
import { type KeyRecord, keyRecordOf } from './record.ts';

const PAGE = 1_000;
/** The most bytes of records to hold; in memory they take some three times as much. */
const MOST_BYTES = 32 * 1024 * 1024;
/** The bytes of a record besides its value. */
const OVERHEAD = 200;
/** Records before the position that a reader needs are dropped once there are this many. */
const DROPPED = 2_000;
/** A new leader may not yet serve records that another reader has seen. */
const BEHIND = { tries: 40, pauseMs: 25 };

/**
 * The records of a partition of the topic from an offset on. It may grow while it is in use; earlier results
 * stay valid.
 */
export interface Tail {
  from: number;
  /** All records from `from` up to here are present. */
  next: number;
  ofOwner(owner: string): readonly KeyRecord[];
  ofKey(keyId: string): readonly KeyRecord[];
  isDestroyed(keyId: string): boolean;
  records(): readonly KeyRecord[];
}

interface Part {
  from: number;
  next: number;
  bytes: number;
  records: KeyRecord[];
  byOwner: Map<string, KeyRecord[]>;
  byKey: Map<string, KeyRecord[]>;
}

const partFrom = (from: number, records: readonly KeyRecord[] = [], next = from): Part => {
  const part: Part = { from, next, bytes: 0, records: [], byOwner: new Map(), byKey: new Map() };
  for (const record of records) add(part, record);
  return part;
};

const bytesOf = ({ key }: KeyRecord): number =>
  OVERHEAD + (key ? key.wrapped.length + key.owner.length + key.session.length : 0);

const add = (part: Part, record: KeyRecord): void => {
  part.records.push(record);
  part.bytes += bytesOf(record);
  const enter = (map: Map<string, KeyRecord[]>, name: string): void => {
    const held = map.get(name);
    if (held) held.push(record);
    else map.set(name, [record]);
  };
  if (record.key) enter(part.byOwner, record.key.owner);
  enter(part.byKey, record.keyId);
};

const tailOf = (part: Part): Tail => ({
  from: part.from,
  next: part.next,
  ofOwner: owner => part.byOwner.get(owner) ?? [],
  ofKey: keyId => part.byKey.get(keyId) ?? [],
  isDestroyed: keyId => part.byKey.get(keyId)?.some(({ key }) => !key) ?? false,
  records: () => part.records,
});

export type Tails = ReturnType<typeof makeTails>;

/**
 * Holds the topic's records since the index's positions: reads on from the last offset read, and keeps the
 * records while they are needed. A read begins after the call; callers that wait for a read share the next
 * one.
 */
export const makeTails = (log: Pick<SharedLog, 'read'>, mostBytes = MOST_BYTES) => {
  /** By partition, in the order of their last use. */
  const parts = new Map<number, Part>();
  const running = new Map<number, Promise<unknown>>();
  const waiting = new Map<number, { from: number; until: number; read: Promise<Tail> }>();

  const drop = (but: number): void => {
    let bytes = [...parts.values()].reduce((sum, part) => sum + part.bytes, 0);
    for (const [partition, part] of parts) {
      if (bytes <= mostBytes) return;
      if (partition === but) continue;
      parts.delete(partition);
      bytes -= part.bytes;
    }
    if (bytes <= mostBytes) return;
    parts.delete(but);
    throw unavailable(
      'The index of the sealing keys is too far behind the log: keys that are not in use wait for the projectors.',
      undefined,
      5,
    );
  };

  /** Returns the part to continue, which begins at `from` or earlier. */
  const partOf = (partition: number, from: number): Part => {
    const held = parts.get(partition);
    if (!held || held.from > from) return partFrom(from);
    const dropped = held.records.filter(({ offset }) => offset < from).length;
    if (dropped < DROPPED || 2 * dropped < held.records.length) return held;
    return partFrom(
      from,
      held.records.filter(({ offset }) => offset >= from),
      Math.max(held.next, from),
    );
  };

  const readOn = async (partition: number, from: number, until: number): Promise<Tail> => {
    const part = partOf(partition, from);
    parts.delete(partition);
    parts.set(partition, part);
    for (let tries = 0; ; ) {
      const records = await log.read('keys', partition, part.next, PAGE);
      for (const record of records) {
        const parsed = keyRecordOf(record);
        if (parsed) add(part, parsed);
        part.next = record.offset + 1;
      }
      drop(partition);
      if (records.length > 0) continue;
      if (part.next >= until) return tailOf(part);
      if (++tries > BEHIND.tries)
        throw unavailable('The sealing keys in the log are not readable to their end.');
      await pause(BEHIND.pauseMs);
    }
  };

  return {
    /** Returns the records from `from` (or earlier) to the log's end, which is at least `until`. */
    read: (partition: number, from: number, until = 0): Promise<Tail> => {
      const joined = waiting.get(partition);
      if (joined) {
        joined.from = Math.min(joined.from, from);
        joined.until = Math.max(joined.until, until);
        return joined.read;
      }
      const asked = { from, until, read: undefined as unknown as Promise<Tail> };
      waiting.set(partition, asked);
      asked.read = (running.get(partition) ?? Promise.resolve())
        .catch(() => {})
        .then(() => {
          waiting.delete(partition);
          const read = readOn(partition, asked.from, asked.until);
          running.set(partition, read);
          return read;
        });
      return asked.read;
    },
  };
};
