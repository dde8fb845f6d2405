import { DatabaseSync } from 'node:sqlite';
import { fileLines, type Line } from '../../../../core/operator/file-lines.ts';
import { type MonthTotals, makeMonth } from '../../../../projections/usage/statement.ts';
import { projectUsage } from '../../../../projections/usage/usage-projection.ts';
import {
  type Header,
  isTrailer,
  readBilled,
  readEvent,
  readHeader,
} from '../../../use-cases/transfer/export-format.ts';

export interface ExportedMonth extends MonthTotals {
  header: Header;
  /** Billed events of the month whose words are erased or hidden. */
  unshown: number;
  recalls: number;
}

interface Billed {
  id: string;
  day: string;
  tokensIn: number;
  tokensOut: number;
  kind: 'turn' | 'recall' | 'unshown';
}

/** Throws an `Error` that names the line. */
const fail = (line: number, fault: string): never => {
  throw new Error(`line ${line} of the export ${fault}`);
};

const billedIn = (line: number, value: unknown, org_id: string): Billed[] => {
  const unshown = readBilled(value);
  if (unshown) {
    if (!unshown.ok) return fail(line, unshown.faults[0]!);
    const { id, day, tokens_in: tokensIn, tokens_out: tokensOut } = unshown.value;
    return [{ id, day, tokensIn, tokensOut, kind: 'unshown' }];
  }
  const event = readEvent(value);
  if (!event.ok) return fail(line, event.faults[0]!);
  const kind = event.value.type === 'recall.metered' ? 'recall' : 'turn';
  const address = { topic: '', partition: 0, offset: line };
  return projectUsage({ ...event.value, org_id, ...address }).map(row => ({ ...row, id: row.eventId, kind }));
};

/** An unnamed file that is gone with the process: an export may have more events than memory holds. */
const openSorted = () => {
  const database = new DatabaseSync('');
  database.exec(
    `PRAGMA journal_mode = OFF;
     CREATE TABLE billed (id TEXT PRIMARY KEY, day TEXT, tokensIn INTEGER, tokensOut INTEGER, kind TEXT) WITHOUT ROWID;
     BEGIN`,
  );
  const insert = database.prepare('INSERT OR IGNORE INTO billed VALUES (?, ?, ?, ?, ?)');
  const ofDays = database.prepare('SELECT * FROM billed WHERE substr(day, 1, 7) = ? ORDER BY id');
  return {
    /** Adds an event. The first of several copies counts, whatever its month. */
    add: ({ id, day, tokensIn, tokensOut, kind }: Billed): void => {
      insert.run(id, day, tokensIn, tokensOut, kind);
    },
    month: (month: string): IterableIterator<Billed> =>
      ofDays.iterate(month) as unknown as IterableIterator<Billed>,
    close: () => database.close(),
  };
};

const readLines = async (lines: AsyncIterable<Line>, take: (billed: Billed) => void): Promise<Header> => {
  let header: Header | undefined;
  let isWhole = false;
  let count = { events: 0, billed: 0 };
  for await (const line of lines) {
    if ('fault' in line) return fail(line.number, line.fault);
    const { number, value } = line;
    if (!header) {
      const read = readHeader(value);
      if (!read.ok) return fail(number, read.faults[0]!);
      header = read.value;
    } else if (isTrailer(value)) {
      if (value.events !== count.events || (value.billed ?? 0) !== count.billed)
        return fail(number, 'counts other events than precede it');
      isWhole = true;
    } else {
      if (isWhole) return fail(number, 'comes after the end');
      const billed = billedIn(number, value, header.org_id);
      for (const one of billed) take(one);
      const isShown = (value as { type?: unknown }).type !== 'billed';
      count = { events: count.events + (isShown ? 1 : 0), billed: count.billed + (isShown ? 0 : 1) };
    }
  }
  if (!header || !isWhole) throw new Error('the export was cut short: it has no end');
  return header;
};

/**
 * Returns what a month billed according to an export. Throws an `Error` for a file that is no complete
 * export; rejects with the system's error.
 */
export const monthOfExport = async (path: string, month: string): Promise<ExportedMonth> => {
  const sorted = openSorted();
  try {
    const header = await readLines(fileLines(path), sorted.add);
    const sum = makeMonth(month);
    const kinds = { turn: 0, recall: 0, unshown: 0 };
    for (const { kind, ...event } of sorted.month(month)) {
      sum.add(event);
      kinds[kind]++;
    }
    return { header, ...sum.totals(), unshown: kinds.unshown, recalls: kinds.recall };
  } finally {
    sorted.close();
  }
};
