import type { EventLog, LogRecord, Positions, Topic } from '../ports.ts';
import type { Decode, Event, Prepare } from './events.ts';
import { partitionName, partitionsOf } from './positions.ts';

/** Default page size in records. */
const PAGE = 1_000;

/** A limit on some measure of a page. */
export interface PageLimit<T> {
  most: number;
  /** The record's share of the measure. */
  of: (record: T) => number;
}

/**
 * Splits records in their order into pages within every limit, unless the first record of a page alone
 * exceeds it.
 */
export function* pagesOf<T>(
  records: readonly T[],
  ...limits: readonly PageLimit<T>[]
): Generator<readonly [T, ...T[]]> {
  let page: [T, ...T[]] | undefined;
  let sums: number[] = [];
  for (const record of records) {
    const own = limits.map(({ of }) => of(record));
    if (page && limits.every(({ most }, i) => sums[i]! + own[i]! <= most)) {
      page.push(record);
      sums = sums.map((sum, i) => sum + own[i]!);
      continue;
    }
    if (page) yield page;
    page = [record];
    sums = own;
  }
  if (page) yield page;
}

export interface Page {
  topic: Topic;
  partition: number;
  records: LogRecord[];
  /** The offset at which the next page begins; `to` once nothing is left below it. */
  next: number;
}

export interface PageRange {
  /** Read in this order, and partition by partition within a topic. */
  topics: readonly Topic[];
  /** Next offsets; default 0. */
  from?: Positions;
  /** Exclusive ends; partitions that are not named here are not read. */
  to: Positions;
  pageSize?: number;
}

/**
 * Reads part of the log in pages: the records of these topics between two positions, in order within each
 * partition.
 */
export const readPages = async function* (
  log: Pick<EventLog, 'read'>,
  { topics, from = {}, to, pageSize = PAGE }: PageRange,
): AsyncGenerator<Page> {
  for (const topic of topics) {
    for (const { partition, offset: end } of partitionsOf(to, topic)) {
      for (let next = from[partitionName({ topic, partition })] ?? 0; next < end; ) {
        const read = await log.read(topic, partition, next, pageSize);
        const records = read.filter(({ offset }) => offset < end);
        const isLast = records.length < read.length || read.length === 0;
        next = isLast ? end : read.at(-1)!.offset + 1;
        yield { topic, partition, records, next };
      }
    }
  }
};

/**
 * Reads the same range as pages of events; an event whose key was destroyed has no `data`. Skips records that
 * can't be decoded: the projector has written them to the dead letters.
 */
export const readEvents = async function* (
  {
    log,
    decode,
    prepare = async () => {},
  }: {
    log: Pick<EventLog, 'read'>;
    decode: Decode;
    prepare?: Prepare;
  },
  range: PageRange,
): AsyncGenerator<Event[]> {
  for await (const { records } of readPages(log, range)) {
    await prepare(records);
    const events: Event[] = [];
    for (const record of records) {
      const decoded = await decode(record);
      if (decoded.kind !== 'poison') events.push(...decoded.events);
    }
    yield events;
  }
};
