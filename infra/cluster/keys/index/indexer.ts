import { randomUUID } from 'node:crypto';
import { unavailable } from '../../../../core/errors.ts';
import { offsetIn, partitionsOf } from '../../../../core/log/positions.ts';
import type { LogRecord, NotHandled, SharedLog } from '../../../../core/ports.ts';
import { keyRecordOf, tombstone } from '../record.ts';
import { changesOf } from './documents.ts';
import { type KeyIndex, type KeyPosition, trusted } from './key-index.ts';

/** How often a position notes that it was the log's end. */
const WHOLE_EVERY_MS = 60_000;
const PAGE = 1_000;

export interface KeyIndexerPorts {
  index: Pick<KeyIndex, 'positions' | 'move' | 'write' | 'byIds'>;
  log: Pick<SharedLog, 'append' | 'read' | 'ends'>;
  /** Unix milliseconds. */
  clock: () => number;
}

export type KeyIndexer = ReturnType<typeof makeKeyIndexer>;

/**
 * Writes the topic into the index: documents → refresh → position. Any step may be repeated, and run in two
 * processes at once: a document is only replaced by a later record, and a position only moves from the one
 * that was read. No record is ever skipped: an unreadable one fails at each attempt, since all data sealed by
 * its key would be lost with it.
 */
export const makeKeyIndexer = ({ index, log, clock }: KeyIndexerPorts) => {
  /** By partition, the log's end at an instant: an index that reaches it was whole then. */
  const ends = new Map<number, { at: number; offset: number }>();

  /** Returns the latest known instant at which the log had nothing beyond the offset. */
  const wholeAt = async ({ partition, whole }: KeyPosition, offset: number): Promise<number> => {
    const now = clock();
    if (now - whole < WHOLE_EVERY_MS) return whole;
    const end = ends.get(partition) ?? {
      at: now,
      offset: offsetIn(await log.ends(), { topic: 'keys', partition }),
    };
    ends.set(partition, end);
    if (offset < end.offset) return whole;
    ends.delete(partition);
    return Math.max(whole, end.at);
  };

  /**
   * Returns the position to continue from. If no position can be trusted, starts a new pass from the
   * beginning.
   */
  const positionIn = async (partition: number): Promise<KeyPosition> => {
    for (;;) {
      const [held] = await index.positions([partition]);
      const position = trusted(held!, clock());
      if (position.pass !== '') return position;
      await index.move(held!, { offset: 0, pass: randomUUID(), whole: clock() });
    }
  };

  /** Returns false if another process has moved the position meanwhile. */
  const apply = async (position: KeyPosition, records: readonly LogRecord[]): Promise<boolean> => {
    const parsed = records.map(keyRecordOf).filter(record => record !== undefined);
    const ids = new Set(
      parsed.flatMap(({ keyId, key }) => (key && key.under !== '' ? [keyId, key.under] : [keyId])),
    );
    const { documents, late } = changesOf(parsed, await index.byIds([...ids]), position, clock());
    await index.write(documents);
    if (late.length > 0) await log.append(late.map(({ owner, keyId }) => tombstone(owner, keyId)));
    const offset = records.at(-1)!.offset + 1;
    return index.move(position, { offset, pass: position.pass, whole: await wholeAt(position, offset) });
  };

  /** Applies a page of a partition. Goes back if the index lacks earlier records. */
  const handle = async (records: readonly LogRecord[]): Promise<NotHandled | undefined> => {
    const first = records[0]!;
    const position = await positionIn(first.partition);
    const left = records.filter(({ offset }) => offset >= position.offset);
    if (left.length === 0) return undefined;
    if (first.offset > position.offset) {
      const [lacking] = await log.read('keys', first.partition, position.offset, 1);
      if (lacking && lacking.offset < first.offset) {
        const reason = 'the index of the keys lacks what it held: it is read again';
        return { kind: 'rewind', offset: lacking.offset, reason };
      }
    }
    if (!(await apply(position, left))) throw unavailable('Another process writes the index of the keys.');
    return undefined;
  };

  /**
   * Reads to the end; returns the number of records. Any number of processes may continue an interrupted read
   * at once.
   */
  const catchUpTo = async (partition: number, end: number): Promise<number> => {
    for (let count = 0; ; ) {
      const position = await positionIn(partition);
      if (position.offset >= end) return count;
      const records = await log.read('keys', partition, position.offset, PAGE);
      if (records.length === 0) return count;
      if (await apply(position, records)) count += records.length;
    }
  };

  return {
    handle,
    /** Reads all partitions up to the log's present ends. */
    catchUp: async (): Promise<number> => {
      const counts: number[] = [];
      for (const { partition, offset } of partitionsOf(await log.ends(), 'keys'))
        counts.push(await catchUpTo(partition, offset));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
};
