import type { Decode, Event, Prepare } from '../../../core/log/events.ts';
import { addressName, partitionName } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import type { EventLog, LogRecord, Positions, Topic } from '../../../core/ports.ts';
import {
  PROJECTIONS,
  type ProjectedEvent,
  type ProjectionName,
  type Projections,
} from '../../../projections/all.ts';
import type { Projection } from '../../../projections/projection.ts';
import { type Expected, rowKey } from '../../../projections/verify/compare.ts';
import type { LogRows, RowScope, VerifiedRows } from '../../../projections/verify/log-rows.ts';
import { type Row, unitOf } from '../../../projections/verify/row.ts';
import { canHalve, halved, inSample, type Sample } from '../../../projections/verify/sample.ts';
import { EVENT_TYPES } from '../../../schemas/events/event-types.ts';
import { recordHead } from './record-head.ts';

export interface LogPorts {
  log: Pick<EventLog, 'read' | 'ends'>;
  decode: Decode;
  prepare?: Prepare;
  projections: Projections;
}

/** Which part of the log is folded. */
export interface LogScope extends RowScope {
  projections: readonly ProjectionName[];
  /** The most rows held in memory; the sample is halved when there are more. */
  most: number;
}

/** Addresses of events in the dead letters. */
export interface SetAside {
  /** Events that the store refused in part: rows may be missing. */
  refused: ReadonlySet<string>;
  /** They end the thread that decodes and folds them: no projection has them. */
  deadly: ReadonlySet<string>;
}

export interface LogSide {
  /** The current sample, after any halving. */
  sample(): Sample;
  /** Continues the fold up to these positions; yields the number of records of each page. */
  foldTo(positions: Positions): AsyncGenerator<number>;
  /** The expected rows by `rowKey`. */
  expected(): Map<string, Expected>;
  /**
   * For rows that a store shows in their current state, not as of a position: continues the fold up to these
   * positions and returns the hashes of the contents that each row had meanwhile, by `rowKey`.
   */
  laterContents(positions: Positions): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}

/**
 * The log as rows, made by the same pure folds that projectors run. The first copy of an id in its partition
 * wins, in whatever order the copies arrive. Records outside the sample are neither decrypted nor analysed,
 * unless a total needs them.
 */
export const makeLogSide = (
  { log, decode, prepare, projections }: LogPorts,
  scope: LogScope,
  start: Sample,
  { refused, deadly }: SetAside,
): LogSide => {
  const at: Positions = {};
  const folded = scope.projections
    .map(name => openFolded(projections, name, scope))
    .filter(one => one.hasSampled || one.hasWhole);
  const kept = makeKeptRows(start, scope.most, refused);

  /** Every sample needs what was removed: it determines which rows must be absent. */
  const isSampled = (type: string, id: string): boolean =>
    EVENT_TYPES[type]?.removes === true || inSample(kept.sample(), unitOf(id));

  const take = (event: Event): void => {
    const sampled = isSampled(event.type, event.id);
    for (const { topics, fold, rows, hasSampled, hasWhole } of folded) {
      if (!topics.includes(event.topic) || !(hasWhole || (hasSampled && sampled))) continue;
      for (const write of fold(event)) for (const row of rows.take(write, event)) kept.add(row, event);
    }
  };

  const isTaken = (record: LogRecord): boolean => {
    const head = recordHead(record.value);
    if (deadly.has(addressName(record))) return false;
    if (!head || (scope.org !== undefined && head.org !== scope.org)) return false;
    const isTotalled = folded.some(({ hasWhole, topics }) => hasWhole && topics.includes(record.topic));
    return isTotalled || head.ids.some(id => isSampled(head.type, id));
  };

  const takeRecord = async (record: LogRecord): Promise<void> => {
    const decoded = await decode(record);
    if (decoded.kind === 'poison') return;
    for (const event of decoded.events) {
      try {
        // Erased events are folded too: the folds know what is still billed.
        take(event);
      } catch {
        // An event that a fold rejects is in the dead letters: no projection has it.
      }
    }
  };

  const foldTo = async function* (topics: readonly Topic[], to: Positions): AsyncGenerator<number> {
    for await (const { records, next, ...partition } of readPages(log, { topics, from: at, to })) {
      const taken = records.filter(isTaken);
      await prepare?.(taken);
      for (const record of taken) await takeRecord(record);
      at[partitionName(partition)] = next;
      yield records.length;
    }
  };

  return {
    sample: kept.sample,
    foldTo: positions => foldTo(topicsOf(folded), positions),
    expected: () => {
      const isErased = (row: Row): boolean => folded.some(({ rows }) => rows.isErased?.(row));
      const all = new Map([...kept.rows].filter(([, row]) => !isErased(row)));
      for (const { hasWhole, rows } of folded)
        if (hasWhole) for (const row of rows.whole?.() ?? []) all.set(rowKey(row), row);
      return all;
    },
    laterContents: async positions => {
      const later = new Map<string, Set<string>>();
      const unpositioned = folded.filter(({ rows }) => rows.onChange !== undefined);
      for (const { rows } of unpositioned)
        rows.onChange!(row =>
          later.set(rowKey(row), (later.get(rowKey(row)) ?? new Set<string>()).add(row.hash)),
        );
      for await (const _ of foldTo(topicsOf(unpositioned), positions));
      return later;
    },
  };
};

/** A projection whose rows are made from the log. */
interface Folded {
  topics: readonly Topic[];
  fold: (event: ProjectedEvent) => unknown[];
  rows: LogRows<unknown>;
  hasSampled: boolean;
  /** Whether its whole rows are compared. */
  hasWhole: boolean;
}

const openFolded = (projections: Projections, name: ProjectionName, scope: LogScope): Folded => {
  const { topics, fold } = projections[name] as Projection<ProjectedEvent, unknown>;
  const { fromLog, hasSampled, hasWhole } = PROJECTIONS[name].rows as VerifiedRows<unknown>;
  return { topics, fold, rows: fromLog(scope), hasSampled, hasWhole: hasWhole && scope.whole };
};

const topicsOf = (folded: readonly Folded[]): Topic[] => [...new Set(folded.flatMap(({ topics }) => topics))];

/** The rows of a sample, which is halved whenever there are more than `most`. */
const makeKeptRows = (start: Sample, most: number, refused: ReadonlySet<string>) => {
  let sample = start;
  const rows = new Map<string, Expected>();
  return {
    rows: rows as ReadonlyMap<string, Expected>,
    sample: (): Sample => sample,
    /** `event`: that the row comes from. Not every row names more than its record. */
    add: (row: Row, event: Event): void => {
      // Other rows of the same event may have halved the sample meanwhile.
      if (!inSample(sample, row.unit)) return;
      const key = rowKey(row);
      const known = rows.get(key);
      if (known && !winsOver(row, known)) return;
      const isRefused = row.address !== undefined && refused.has(addressName(event));
      rows.set(key, isRefused ? { ...row, refused: true } : row);
      while (rows.size > most && !sample.only && canHalve(sample)) {
        sample = halved(sample);
        for (const [name, { unit }] of rows) if (!inSample(sample, unit)) rows.delete(name);
      }
    },
  };
};

/** A client's observation wins over an extractor's with the same key; otherwise the first in the log wins. */
const winsOver = (row: Row, known: Row): boolean => {
  if (Boolean(row.extracted) !== Boolean(known.extracted)) return !row.extracted;
  return (
    row.address !== undefined && known.address !== undefined && row.address.offset < known.address.offset
  );
};
