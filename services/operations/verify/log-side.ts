import {
  type AccountEvent,
  type AccountState,
  foldAccount,
  type GetDocument,
} from '../../../projections/accounts/projection.ts';
import type { Projections } from '../../../projections/all.ts';
import { scopeDigest } from '../../../projections/recall/identity.ts';
import type { RecallWrite, StoredWrite } from '../../../projections/recall/projection.ts';
import { type Expected, rowKey } from '../../../projections/verify/compare.ts';
import { makeIdSet } from '../../../projections/verify/id-set.ts';
import {
  accountRow,
  billedRow,
  type DayOfUsage,
  dayRow,
  meteredRow,
  type Row,
  recallRow,
  unitOf,
} from '../../../projections/verify/row.ts';
import {
  canHalve,
  halved,
  inSample,
  isAlwaysWhole,
  type Sample,
} from '../../../projections/verify/sample.ts';
import type { Decode, Event } from '../../core/log/events.ts';
import { addressName, partitionName } from '../../core/log/positions.ts';
import { readPages } from '../../core/log/read.ts';
import type { EventLog, LogRecord, Positions, Topic, VerifiableRows } from '../../core/ports.ts';
import { recordHead } from './record-head.ts';

export interface LogPorts {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  projections: Projections;
}

/** What of the log is folded. */
export interface LogScope {
  projections: VerifiableRows['projections'];
  usage: VerifiableRows['usage'];
  firstDay?: string | undefined;
  /** One organization; undefined: all. */
  org?: string | undefined;
  /** Sums of days need every billed event, whatever the sample. */
  days: boolean;
  /** Rows that are kept at once; with more the sample is halved. */
  most: number;
}

export interface LogSide {
  /** What is left of the sample. */
  sample(): Sample;
  /** Folds on to these positions; yields how many records it has passed, now and then. */
  foldTo(positions: Positions): AsyncGenerator<number>;
  /** The rows by `rowKey`. */
  expected(): Map<string, Expected>;
  /** Folds the accounts on to these positions: which contents a document had meanwhile, by `rowKey`. */
  laterAccounts(positions: Positions): Promise<Map<string, Set<string>>>;
}

/**
 * The log as rows: the same pure folds that projectors run, the first copy of an id in its partition winning, whenever
 * it comes. Records outside the sample are neither opened nor analysed.
 */
export const makeLogSide = (
  { log, decode, projections }: LogPorts,
  scope: LogScope,
  start: Sample,
  refused: ReadonlySet<string>,
): LogSide => {
  let sample = start;
  const at: Positions = {};
  const rows = new Map<string, Kept>();
  const erasures = makeErasures();
  const days = new Map<string, DayOfUsage>();
  const billed = makeIdSet();
  const accounts = makeAccountFold();
  const wanted = new Set<string>(scope.projections);
  const topics = [...new Set(scope.projections.flatMap(name => projections[name].topics))];

  const keep = (row: Row, write?: StoredWrite): void => {
    // Halved meanwhile, by the rows of the same event too.
    if (!inSample(sample, row.unit)) return;
    const key = rowKey(row);
    const known = rows.get(key);
    if (known && !winsOver(row, known)) return;
    const isRefused = row.place !== undefined && refused.has(addressName(row.place));
    const scoped = write && { ...row, user: write.user, session: write.session };
    rows.set(key, isRefused ? { ...(scoped ?? row), refused: true } : (scoped ?? row));
    while (rows.size > scope.most && !sample.only && canHalve(sample)) {
      sample = halved(sample);
      for (const [name, { unit }] of rows) if (!inSample(sample, unit)) rows.delete(name);
    }
  };

  /** What an event is in the projections; the one place that knows which of its rows are wanted. */
  const take = (event: Event, isSampled: boolean): void => {
    if (isSampled && wanted.has('recall')) {
      for (const write of projections.recall.fold(event)) {
        if (write.op === 'erase') erasures.add(write);
        else keep(recallRow(write), write);
      }
    }
    if (wanted.has('usage')) {
      for (const row of projections.usage.fold(event)) {
        if (row.day < (scope.firstDay ?? '')) continue;
        if (isSampled && scope.usage === 'billed') keep(billedRow(row));
        // Of one organization alone they can't be asked for.
        const isMetered = scope.usage === 'metered' && event.topic === 'usage' && scope.org === undefined;
        if (isSampled && isMetered) keep(meteredRow(row.eventId, event));
        if (!scope.days || !billed.add(row.eventId)) continue;
        const id = JSON.stringify([row.org, row.day]);
        const day = days.get(id) ?? { org: row.org, day: row.day, tokensIn: 0, tokensOut: 0 };
        days.set(id, day);
        day.tokensIn += row.tokensIn;
        day.tokensOut += row.tokensOut;
      }
    }
    if (wanted.has('accounts')) for (const one of projections.accounts.fold(event)) accounts.take(one);
  };

  const takeRecord = async (record: LogRecord): Promise<void> => {
    const head = recordHead(record.value);
    if (!head || (scope.org !== undefined && head.org !== scope.org)) return;
    const isBilled = record.topic === 'turns' || record.topic === 'usage';
    // An erasure is of every sample: it is what is not to be there.
    const isSampled = head.type === 'memory.erased' || inSample(sample, unitOf(head.id));
    const isNeeded = isSampled || record.topic === 'accounts' || (scope.days && isBilled);
    if (!isNeeded) return;
    const decoded = await decode(record);
    if (decoded.kind === 'poison') return;
    try {
      // What is erased goes through the folds too: they know what it still bills.
      take(decoded.event, isSampled);
    } catch {
      // What no fold can take is in the dead letters: no projection has it.
    }
  };

  const foldTo = async function* (topics: readonly Topic[], to: Positions): AsyncGenerator<number> {
    for await (const { records, next, ...partition } of readPages(log, { topics, from: at, to })) {
      for (const record of records) await takeRecord(record);
      at[partitionName(partition)] = next;
      yield records.length;
    }
  };

  return {
    sample: () => sample,
    foldTo: positions => foldTo(topics, positions),
    expected: () => {
      const all = new Map<string, Expected>([...rows].filter(([, row]) => !erasures.has(row)));
      for (const row of [...[...days.values()].map(dayRow), ...accounts.states().map(accountRow)])
        all.set(rowKey(row), row);
      return all;
    },
    laterAccounts: async positions => {
      const later = new Map<string, Set<string>>();
      accounts.onWrite(state => {
        const row = accountRow(state);
        later.set(rowKey(row), (later.get(rowKey(row)) ?? new Set()).add(row.hash));
      });
      for await (const _ of foldTo(['accounts'], positions));
      return later;
    },
  };
};

/** A row with whose it is, where that is known. */
type Kept = Expected & { user?: string; session?: string };

/** What was erased: of each scope, in each place, all below an offset. */
const makeErasures = () => {
  const below = new Map<string, number>();
  const nameOf = ({ topic, partition }: { topic: string; partition: number }, ...scope: (string | null)[]) =>
    JSON.stringify([topic, partition, ...scope]);
  return {
    add: ({ origin, owner, session }: Extract<RecallWrite, { op: 'erase' }>): void => {
      const name = nameOf(origin, owner, session);
      below.set(name, Math.max(below.get(name) ?? 0, origin.offset));
    },
    has: ({ org, user, session, place }: Kept): boolean => {
      if (below.size === 0 || user === undefined || session === undefined || !place) return false;
      const owner = scopeDigest([org, user]);
      const ends = [null, scopeDigest([org, user, session])].map(of => below.get(nameOf(place, owner, of)));
      return ends.some(end => end !== undefined && place.offset < end);
    },
  };
};

/** Of two rows of one name: what the client said before what an extractor found, then the first in the log. */
const winsOver = (row: Row, known: Row): boolean => {
  if (isAlwaysWhole(row.kind)) return true;
  if (Boolean(row.extracted) !== Boolean(known.extracted)) return !row.extracted;
  return row.place !== undefined && known.place !== undefined && row.place.offset < known.place.offset;
};

/** The documents of `accounts`: each event once, in the order of the log. */
const makeAccountFold = () => {
  const states = new Map<string, AccountState>();
  const known = makeIdSet();
  let listener: (state: AccountState) => void = () => {};
  const get = ((kind, id) => states.get(`${kind} ${id}`)?.document) as GetDocument;
  return {
    take: (event: AccountEvent): void => {
      if (!known.add(event.id)) return;
      for (const state of foldAccount(get, event)) {
        states.set(`${state.kind} ${state.id}`, state);
        listener(state);
      }
    },
    states: (): AccountState[] => [...states.values()],
    onWrite: (on: (state: AccountState) => void): void => {
      listener = on;
    },
  };
};
