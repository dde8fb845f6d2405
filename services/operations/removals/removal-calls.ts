import { ServiceError } from '../../../core/errors.ts';
import { partitionName } from '../../../core/log/positions.ts';
import { pagesOf } from '../../../core/log/read.ts';
import type { OperatorCalls } from '../../../core/operator/calls.ts';
import { fileLines } from '../../../core/operator/file-lines.ts';
import type { Removal, RemovalsEnd } from '../../../core/operator/removals.ts';
import type { Fault } from '../../../core/operator/transfer.ts';
import type { EventLog, NewRecord, Positions, RecordAddress } from '../../../core/ports.ts';
import { serialiseEnvelope } from '../../../schemas/events/envelope.ts';
import { parseInstant } from '../../../schemas/http/queries/instant.ts';
import { knownAmong, nameOf, readRemoval, removalsSince } from './removals-of-log.ts';

export interface RemovalPorts {
  log: Pick<EventLog, 'read' | 'ends' | 'append'>;
  /**
   * Resolves when this process's read models have applied the records at these addresses: with true, or with
   * false where other processes do it.
   */
  applied: (addresses: readonly RecordAddress[], signal: AbortSignal) => Promise<boolean>;
  /** Removals of a list that are compared with the log in one read of it. */
  window?: number;
}

const MOST_LISTED = 100;
const WINDOW = 100_000;
const APPENDED_AT_ONCE = 1_000;
const BATCH = 100;
const BATCH_BYTES = 512 * 1024;

const isEnd = (value: unknown): value is RemovalsEnd =>
  typeof value === 'object' && value !== null && (value as { end?: unknown }).end === true;

/** A day, or an RFC 3339 instant. */
const instantOf = (text: string): string => {
  const instant = parseInstant(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text);
  if (instant === undefined) throw new ServiceError('invalid', 'since must be a day or an RFC 3339 instant.');
  return new Date(instant).toISOString();
};

/** A line of a list: a removal, or why it can't be repeated. */
type ReadLine = { removal: Removal } | { line: number; fault: string };

/** Reads a list line by line, and checks that nothing is missing at its end. */
async function* linesOf(path: string, ends: Positions): AsyncGenerator<ReadLine> {
  let last = 0;
  let lines = 0;
  let ended = false;
  for await (const line of fileLines(path)) {
    last = line.number;
    if (ended) yield { line: last, fault: 'comes after the end' };
    else if ('fault' in line) yield { line: last, fault: line.fault };
    else if (isEnd(line.value)) {
      ended = true;
      if (line.value.events !== lines)
        yield { line: last, fault: `counts ${line.value.events} lines, but ${lines} precede it` };
    } else {
      lines++;
      const read = readRemoval(line.value, ends);
      yield read.ok ? { removal: read.value } : { line: last, fault: read.fault };
    }
  }
  if (last === 0) yield { line: 1, fault: 'is missing: the file is empty' };
  else if (!ended)
    yield { line: last, fault: 'is the last line, but not the end of a list: the file was cut short' };
}

interface CheckedList {
  events: number;
  faults: Fault[];
  omitted: number;
}

const checkList = async (lines: AsyncIterable<ReadLine>): Promise<CheckedList> => {
  const list: CheckedList = { events: 0, faults: [], omitted: 0 };
  for await (const one of lines)
    if ('removal' in one) list.events++;
    else if (list.faults.length < MOST_LISTED) list.faults.push(one);
    else list.omitted++;
  return list;
};

/** Yields of the removals of a list what is made of each, in pages. */
async function* pagesOfList<T>(
  lines: AsyncIterable<ReadLine>,
  most: number,
  of: (removal: Removal) => T,
): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for await (const one of lines) {
    if ('removal' in one) page.push(of(one.removal));
    if (page.length < most) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

/** A set of numbers from 0 on, a bit each: a list may have millions of lines. */
const makeMarks = (count: number) => {
  const bits = new Uint8Array(Math.ceil(count / 8));
  return {
    add: (n: number): void => {
      bits[n >> 3]! |= 1 << (n & 7);
    },
    has: (n: number): boolean => (bits[n >> 3]! & (1 << (n & 7))) !== 0,
  };
};

const recordOf = ({ topic, partition, event }: Removal): NewRecord => ({
  topic,
  partition,
  // The partition is given.
  key: '',
  value: serialiseEnvelope(event),
  headers: { correlation_id: event.correlation_id },
});

/**
 * The calls `removals.list` and `removals.repeat`: what was taken away after a copy was made is taken away
 * again where the copy is restored. The list holds no words and no names: what is sealed in it stays so.
 */
export const makeRemovalCalls = ({
  log,
  applied,
  window = WINDOW,
}: RemovalPorts): OperatorCalls<`removals.${'list' | 'repeat'}`> => ({
  'removals.list': async function* ({ since }, signal) {
    let events = 0;
    for await (const removal of removalsSince(log, since === undefined ? '' : instantOf(String(since)))) {
      if (signal.aborted) return;
      events++;
      yield removal;
    }
    yield { end: true, events };
  },
  'removals.repeat': async function* (args, signal) {
    const dryRun = args.dryRun === true;
    const ends = await log.ends();
    const read = (): AsyncGenerator<ReadLine> => linesOf(String(args.path), ends);
    const { events, faults, omitted } = await checkList(read()).catch(error => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new ServiceError('invalid', `The file can't be read: ${code}.`, { cause: error });
    });
    const skipped = args.skipFaulty === true;
    if (faults.length > 0) {
      yield { kind: 'faults', faults, omitted, skipped };
      if (!skipped) return;
    }
    const missing = makeMarks(events);
    let count = 0;
    let at = 0;
    for await (const names of pagesOfList(read(), window, nameOf)) {
      const known = await knownAmong(log, new Set(names));
      for (const name of names) {
        if (!known.has(name)) {
          missing.add(at);
          count++;
        }
        // A line that comes twice in a window is repeated once; twice does no harm.
        known.add(name);
        at++;
      }
      if (signal.aborted) return;
    }
    yield { kind: 'checked', events: count, known: events - count, dryRun };
    if (dryRun) return;
    /** The last record of each partition: whoever has applied it has applied those before. */
    const last = new Map<string, RecordAddress>();
    at = 0;
    // A crash in between is harmless: the same call appends what is still missing.
    for await (const page of pagesOfList(read(), APPENDED_AT_ONCE, recordOf)) {
      const records = page.filter(() => missing.has(at++));
      const batches = pagesOf(
        records,
        { most: BATCH, of: () => 1 },
        { most: BATCH_BYTES, of: ({ value }) => value.length },
      );
      for (const batch of batches) {
        if (signal.aborted) return;
        for (const address of await log.append(batch)) last.set(partitionName(address), address);
      }
    }
    yield { kind: 'repeated', events: count, applied: await applied([...last.values()], signal) };
  },
});
