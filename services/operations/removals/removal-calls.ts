import { ServiceError } from '../../../core/errors.ts';
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
}

const MOST_LISTED = 100;
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

interface CheckedList {
  removals: Removal[];
  faults: Fault[];
  omitted: number;
}

/** Reads the whole list, so that nothing of a faulty one is written. */
const readList = async (path: string, ends: Positions): Promise<CheckedList> => {
  const list: CheckedList = { removals: [], faults: [], omitted: 0 };
  const add = (line: number, fault: string): void => {
    if (list.faults.length < MOST_LISTED) list.faults.push({ line, fault });
    else list.omitted++;
  };
  let last = 0;
  let lines = 0;
  let ended = false;
  for await (const line of fileLines(path)) {
    last = line.number;
    if (ended) add(last, 'comes after the end');
    else if ('fault' in line) add(last, line.fault);
    else if (isEnd(line.value)) {
      ended = true;
      if (line.value.events !== lines)
        add(last, `counts ${line.value.events} lines, but ${lines} precede it`);
    } else {
      lines++;
      const read = readRemoval(line.value, ends);
      if (read.ok) list.removals.push(read.value);
      else add(last, read.fault);
    }
  }
  if (last === 0) add(1, 'is missing: the file is empty');
  else if (!ended) add(last, 'is the last line, but not the end of a list: the file was cut short');
  return list;
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
    const { removals, faults, omitted } = await readList(String(args.path), await log.ends()).catch(error => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new ServiceError('invalid', `The file can't be read: ${code}.`, { cause: error });
    });
    if (faults.length > 0) {
      yield { kind: 'faults', faults, omitted };
      return;
    }
    const known = await knownAmong(log, new Set(removals.map(nameOf)));
    const missing = removals.filter(removal => !known.has(nameOf(removal)));
    yield { kind: 'checked', events: missing.length, known: removals.length - missing.length, dryRun };
    if (dryRun) return;
    const addresses: RecordAddress[] = [];
    const pages = pagesOf(
      missing.map(recordOf),
      { most: BATCH, of: () => 1 },
      { most: BATCH_BYTES, of: ({ value }) => value.length },
    );
    // A crash in between is harmless: the same call appends what is still missing.
    for (const page of pages) {
      if (signal.aborted) return;
      addresses.push(...(await log.append(page)));
    }
    yield { kind: 'repeated', events: missing.length, applied: await applied(addresses, signal) };
  },
});
