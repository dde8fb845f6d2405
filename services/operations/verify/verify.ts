import { setTimeout as pause } from 'node:timers/promises';
import { eventsBetween, offsetIn, positionsIn } from '../../../core/log/positions.ts';
import type { VerifyMessage, VerifyReport } from '../../../core/operator/verification.ts';
import type { EventLog, Positions, RowsPicture, VerifiableRows } from '../../../core/ports.ts';
import { PROJECTIONS, type ProjectionName } from '../../../projections/all.ts';
import { type Difference, makeComparison, mayEnd, rowKey } from '../../../projections/verify/compare.ts';
import { type Digest, totalOf } from '../../../projections/verify/digest.ts';
import type { Row } from '../../../projections/verify/row.ts';
import { restOf, type Sample, shareOf, WHOLE } from '../../../projections/verify/sample.ts';
import { type LogPorts, type LogScope, makeLogSide, type SetAside } from './log-side.ts';
import { type Retentions, readRetentions } from './retentions.ts';
import { readSetAside } from './set-aside.ts';

export interface VerifyOptions {
  /** Undefined: all that the store has. */
  projections?: readonly ProjectionName[] | undefined;
  /** One organization; undefined: all. */
  org?: string | undefined;
  /** The most rows to compare and hold in memory, about 300 bytes each. */
  most?: number | undefined;
  /** All rows, in parts of `most`: the log and the store are read once for each part. */
  whole?: boolean | undefined;
}

export type Verify = (
  rows: VerifiableRows,
  options?: VerifyOptions,
  signal?: AbortSignal,
) => AsyncGenerator<VerifyMessage>;

export interface VerifyPorts extends LogPorts {
  log: Pick<EventLog, 'read' | 'ends'>;
  /** Unix milliseconds. */
  clock: () => number;
}

/** The default of `most`. */
const MOST_ROWS = 200_000;
const MOST_NAMED = 100;
/** The most comparisons of a row that differs in another way each time. */
const MOST_LOOKS = 5;
const BETWEEN_LOOKS_MS = 500;
/** Rows of the store between two progress messages. */
const STEP = 10_000;

interface Look {
  differences: Difference[];
  sample: Sample;
  rows: number;
  positions: Positions;
  log: Digest[];
  store: Digest[];
}

/** The rows to compare with the log: all of a store's, or a part of them. */
interface Comparing {
  rows: VerifiableRows;
  scope: LogScope;
  setAside: SetAside;
  retentions: Retentions;
  signal: AbortSignal | undefined;
}

/**
 * Compares a generation of projections with the log: both as rows with a hash over every field, summed by
 * organization and partition. Yields progress, then a report. The generation may be written to meanwhile: it
 * is compared at the positions of its snapshot, and a difference must be the same in a second comparison.
 */
export const makeVerify = (ports: VerifyPorts): Verify =>
  async function* (rows, options = {}, signal) {
    const started = performance.now();
    const { org, most = MOST_ROWS, whole = false } = options;
    const projections = rows.projections.filter(name => options.projections?.includes(name) ?? true);
    const { firstDay } = rows;
    const scope: LogScope = { projections, firstDay, org, most, whole: true };
    const setAside = await readSetAside(ports.log);
    const retentions = await readRetentions(ports);
    const looks: Look[] = [];
    const differences: Difference[] = [];
    for (let part: Sample | undefined = WHOLE; part; ) {
      // Rows that every sample has in full are compared only once, in the first part.
      const own: LogScope = { ...scope, whole: part.from === 0 };
      const comparing: Comparing = { rows, scope: own, setAside, retentions, signal };
      const one: Look = yield* look(ports, comparing, part, 'log');
      differences.push(...(yield* confirmed(ports, comparing, one.differences)));
      looks.push(one);
      part = whole ? restOf(one.sample) : undefined;
    }
    yield reportFrom(projections, looks, differences, (performance.now() - started) / 1_000);
  };

/** Compares a sample once. */
const look = async function* (
  ports: VerifyPorts,
  { rows, scope, setAside, retentions, signal }: Comparing,
  start: Sample,
  phase: 'log' | 'again',
): AsyncGenerator<VerifyMessage, Look> {
  const side = makeLogSide(ports, scope, start, setAside);
  const positions = await rows.positions();
  let done = 0;
  const fold = async function* (to: Positions): AsyncGenerator<VerifyMessage> {
    for await (const records of side.foldTo(to)) {
      signal?.throwIfAborted();
      done += records;
      yield { kind: 'progress', phase, done, total: recordsOf(to, scope.projections) };
    }
  };
  // Fold most of the log before taking the snapshot: the longer it is held, the more data its store has to
  // keep for it.
  yield* fold(positions);
  const picture = await rows.open();
  try {
    yield* fold(picture.positions);
    const isOver = (row: Row): boolean => isGone(row, ports.clock(), retentions);
    const expected = dropOver(side.expected(), isOver);
    const comparison = makeComparison(expected);
    const sample = side.sample();
    let read = 0;
    for await (const row of picture.rows(sample)) {
      signal?.throwIfAborted();
      if (!isOver(row) && isLookedAt(row, scope, picture.positions)) comparison.stored(row);
      if (++read % STEP === 0) yield { kind: 'progress', phase: 'store', done: read, total: undefined };
    }
    const derived = await derivedOf(picture, sample, scope);
    const removed = await sweptOf(picture, comparison.missing(), retentions);
    const { differences, log, store } = comparison.end(removed);
    const later = await side.laterContents(await ports.log.ends());
    return {
      differences: [...differences.filter(one => !later.get(rowKey(one))?.has(one.hash)), ...derived],
      sample,
      rows: expected.size,
      positions: picture.positions,
      log: log.all(),
      store: store.all(),
    };
  } finally {
    await picture.close();
  }
};

/**
 * Rows that differ in the same way in two consecutive comparisons, and rows that differ in another way in
 * each.
 */
const confirmed = async function* (
  ports: VerifyPorts,
  comparing: Comparing,
  first: readonly Difference[],
): AsyncGenerator<VerifyMessage, Difference[]> {
  const found = new Map<string, Difference>();
  let suspected = new Map(first.map(one => [nameOf(one), one]));
  for (let looks = 1; suspected.size > 0 && looks < MOST_LOOKS; looks++) {
    await pause(BETWEEN_LOOKS_MS, undefined, { signal: comparing.signal });
    const only = new Set([...suspected.values()].map(({ unit }) => unit));
    const whole = [...suspected.values()].some(({ isWhole }) => isWhole);
    const scope: LogScope = { ...comparing.scope, whole };
    const again = yield* look(ports, { ...comparing, scope }, { ...WHOLE, only }, 'again');
    const moving = new Map<string, Difference>();
    for (const one of again.differences) {
      if (suspected.get(nameOf(one))?.hash === one.hash) found.set(nameOf(one), one);
      else if (!found.has(nameOf(one))) moving.set(nameOf(one), one);
    }
    suspected = moving;
  }
  return [...found.values(), ...suspected.values()];
};

const reportFrom = (
  projections: readonly ProjectionName[],
  looks: readonly Look[],
  differences: readonly Difference[],
  seconds: number,
): VerifyReport => {
  const of = (side: 'log' | 'store', name: ProjectionName): string =>
    totalOf(looks.flatMap(one => one[side]).filter(({ projection }) => projection === name));
  return {
    kind: 'report',
    projections,
    rows: looks.reduce((sum, { rows }) => sum + rows, 0),
    sampled: looks.reduce((sum, { sample }) => sum + shareOf(sample), 0),
    positions: looks.at(-1)!.positions,
    digests: Object.fromEntries(
      projections.map(name => [name, { log: of('log', name), store: of('store', name) }]),
    ),
    differences: differences.length,
    named: differences
      .slice(0, MOST_NAMED)
      .map(({ unit: _unit, hash: _hash, isWhole: _isWhole, ...one }) => one),
    seconds,
  };
};

const nameOf = (one: Difference): string => `${one.how} ${one.kind} ${one.id} ${one.detail ?? ''}`;

/** Drops the progress messages and returns the report. */
export const reportOf = async (messages: AsyncIterable<VerifyMessage>): Promise<VerifyReport> => {
  let report: VerifyReport | undefined;
  for await (const message of messages) if (message.kind === 'report') report = message;
  return report!;
};

const recordsOf = (positions: Positions, projections: readonly ProjectionName[]): number => {
  const topics = projections.flatMap(name => PROJECTIONS[name].topics);
  return eventsBetween({}, positionsIn(positions, topics));
};

/** Whether a store may have removed the row: it is neither expected nor wrong. */
const isGone = ({ org, end, keptFrom }: Row, now: number, { keptAfter }: Retentions): boolean =>
  (end !== undefined && end <= now) || (keptFrom !== undefined && keptFrom <= keptAfter(org, now));

/**
 * The units that the store has swept of those that it lacks. It did so by an instant that two sources agreed
 * on (core/timing/quarantine.ts): they stay gone if a clock is set back, or a retention taken back under it.
 */
const sweptOf = async (
  picture: RowsPicture,
  missing: readonly Row[],
  { wasSet }: Retentions,
): Promise<ReadonlySet<string>> => {
  const ending = missing.filter(row => mayEnd(row) && (row.end !== undefined || wasSet(row.org)));
  return ending.length === 0 ? new Set() : picture.swept(new Set(ending.map(({ unit }) => unit)));
};

const dropOver = <T extends Row>(rows: Map<string, T>, isOver: (row: Row) => boolean): Map<string, T> => {
  for (const [key, row] of rows) if (isOver(row)) rows.delete(key);
  return rows;
};

const isLookedAt = (row: Row, { projections, org, whole }: LogScope, positions: Positions): boolean => {
  if (!projections.some(name => name === row.projection)) return false;
  if (row.isWhole && !whole) return false;
  if (org !== undefined && row.org !== org) return false;
  const { address } = row;
  return !address || address.offset < offsetIn(positions, address);
};

const derivedOf = async (
  picture: RowsPicture,
  sample: Sample,
  { org }: Pick<LogScope, 'org'>,
): Promise<Difference[]> => {
  const found: Difference[] = [];
  for await (const one of picture.derived(sample)) if (org === undefined || one.org === org) found.push(one);
  return found;
};
