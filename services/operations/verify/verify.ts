import { setTimeout as pause } from 'node:timers/promises';
import { PROJECTIONS } from '../../../projections/all.ts';
import { type Difference, makeComparison, rowKey } from '../../../projections/verify/compare.ts';
import { type Digest, totalOf } from '../../../projections/verify/digest.ts';
import { projectionOf, type Row, type VerifiedProjection } from '../../../projections/verify/row.ts';
import { restOf, type Sample, shareOf, WHOLE } from '../../../projections/verify/sample.ts';
import { PLACE_OF } from '../../core/log/events.ts';
import { addressName, eventsBetween, offsetIn, positionsIn } from '../../core/log/positions.ts';
import type { EventLog, Positions, RowsPicture, VerifiableRows } from '../../core/ports.ts';
import { deadLetterRecords } from '../dead-letters/letters.ts';
import type { VerifyMessage, VerifyReport } from '../operator/verification.ts';
import { type LogPorts, type LogScope, makeLogSide } from './log-side.ts';

export interface VerifyOptions {
  /** Undefined: all that are there. */
  projections?: readonly VerifiedProjection[] | undefined;
  /** One organization; undefined: all. */
  org?: string | undefined;
  /** Rows that are looked at, and held in memory: some 300 bytes each. */
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

/** Rows that are looked at unless another number is asked for. */
const MOST_ROWS = 200_000;
const MOST_NAMED = 100;
/** A row that changed between two looks is looked at again, so often. */
const MOST_LOOKS = 5;
const BETWEEN_LOOKS_MS = 500;
/** Rows of the store between two lines of progress. */
const STEP = 10_000;

interface Look {
  differences: Difference[];
  sample: Sample;
  rows: number;
  positions: Positions;
  log: Digest[];
  store: Digest[];
}

/**
 * Compares a generation of projections with the log: both as rows with a hash over every field, summed by organization
 * and partition. Yields its progress, and a report at last. The generation may be written to meanwhile: it is compared
 * at the positions of its picture, and what differs must differ in the same way at a second look.
 */
export const makeVerify = (ports: VerifyPorts): Verify => {
  const look = async function* (
    rows: VerifiableRows,
    scope: LogScope,
    start: Sample,
    refused: ReadonlySet<string>,
    phase: 'log' | 'again',
    signal: AbortSignal | undefined,
  ): AsyncGenerator<VerifyMessage, Look> {
    const side = makeLogSide(ports, scope, start, refused);
    const positions = await rows.positions();
    let done = 0;
    const fold = async function* (to: Positions): AsyncGenerator<VerifyMessage> {
      for await (const records of side.foldTo(to)) {
        signal?.throwIfAborted();
        done += records;
        yield { kind: 'progress', phase, done, total: recordsOf(to, scope.projections) };
      }
    };
    // Most of the log before the picture is taken: the longer one is held, the more its store has to keep for it.
    yield* fold(positions);
    const picture = await rows.open();
    try {
      yield* fold(picture.positions);
      const expected = dropOver(side.expected(), ports.clock());
      const comparison = makeComparison(expected);
      const sample = side.sample();
      let read = 0;
      for await (const row of picture.rows(sample)) {
        signal?.throwIfAborted();
        if (isLookedAt(row, scope, picture.positions, ports.clock())) comparison.stored(row);
        if (++read % STEP === 0) yield { kind: 'progress', phase: 'store', done: read, total: undefined };
      }
      const derived = await derivedOf(picture, sample, scope);
      const { differences, log, store } = comparison.end();
      const later = scope.projections.includes('accounts')
        ? await side.laterAccounts(await ports.log.ends())
        : undefined;
      return {
        // A document of accounts may be ahead of the positions: any content that it had since is right.
        differences: [
          ...differences.filter(one => !later?.get(rowKey(one as Row))?.has(one.hash)),
          ...derived,
        ],
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

  /** What differs in the same way in two looks that follow each other, and what never holds still. */
  const confirmed = async function* (
    rows: VerifiableRows,
    scope: LogScope,
    first: readonly Difference[],
    refused: ReadonlySet<string>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<VerifyMessage, Difference[]> {
    const found = new Map<string, Difference>();
    let suspected = new Map(first.map(one => [nameOf(one), one]));
    for (let looks = 1; suspected.size > 0 && looks < MOST_LOOKS; looks++) {
      await pause(BETWEEN_LOOKS_MS, undefined, { signal });
      const only = new Set([...suspected.values()].map(({ unit }) => unit));
      const days = [...suspected.values()].some(({ kind }) => kind === 'day');
      const again = yield* look(rows, { ...scope, days }, { ...WHOLE, only }, refused, 'again', signal);
      const moving = new Map<string, Difference>();
      for (const one of again.differences) {
        if (suspected.get(nameOf(one))?.hash === one.hash) found.set(nameOf(one), one);
        else if (!found.has(nameOf(one))) moving.set(nameOf(one), one);
      }
      suspected = moving;
    }
    return [...found.values(), ...suspected.values()];
  };

  return async function* (rows, options = {}, signal) {
    const started = performance.now();
    const { org, most = MOST_ROWS, whole = false } = options;
    const projections = rows.projections.filter(name => options.projections?.includes(name) ?? true);
    const { usage, firstDay } = rows;
    const scope: LogScope = { projections, usage, firstDay, org, most, days: projections.includes('usage') };
    const refused = await refusedPlaces(ports.log);
    const differences: Difference[] = [];
    const digests: { log: Digest[]; store: Digest[] } = { log: [], store: [] };
    let count = 0;
    let sampled = 0;
    let positions: Positions = {};
    for (let part: Sample | undefined = WHOLE; part; ) {
      // Sums and accounts are whole in the first part: once is enough.
      const isFirst: boolean = part.from === 0;
      const own: LogScope = isFirst
        ? scope
        : { ...scope, days: false, projections: projections.filter(name => name !== 'accounts') };
      const one: Look = yield* look(rows, own, part, refused, 'log', signal);
      differences.push(...(yield* confirmed(rows, own, one.differences, refused, signal)));
      count += one.rows;
      sampled += shareOf(one.sample);
      positions = one.positions;
      digests.log.push(...one.log);
      digests.store.push(...one.store);
      part = whole ? restOf(one.sample) : undefined;
    }
    const of = (side: readonly Digest[], name: VerifiedProjection): string =>
      totalOf(side.filter(({ projection }) => projection === name));
    yield {
      kind: 'report',
      projections,
      rows: count,
      sampled,
      positions,
      digests: Object.fromEntries(
        projections.map(name => [name, { log: of(digests.log, name), store: of(digests.store, name) }]),
      ),
      differences: differences.length,
      named: differences.slice(0, MOST_NAMED).map(({ unit: _unit, hash: _hash, ...one }) => one),
      seconds: (performance.now() - started) / 1_000,
    };
  };
};

const nameOf = (one: Difference): string => `${one.how} ${one.kind} ${one.id} ${one.detail ?? ''}`;

/** The report of a verification that nobody watches. */
export const reportOf = async (messages: AsyncIterable<VerifyMessage>): Promise<VerifyReport> => {
  let report: VerifyReport | undefined;
  for await (const message of messages) if (message.kind === 'report') report = message;
  return report!;
};

const recordsOf = (positions: Positions, projections: readonly VerifiedProjection[]): number => {
  const topics = projections.flatMap(name => PROJECTIONS[name].topics);
  return eventsBetween({}, positionsIn(positions, topics));
};

const isOver = ({ end }: Row, now: number): boolean => end !== undefined && end <= now;

const dropOver = <T extends Row>(rows: Map<string, T>, now: number): Map<string, T> => {
  for (const [key, row] of rows) if (isOver(row, now)) rows.delete(key);
  return rows;
};

const isLookedAt = (
  row: Row,
  { projections, org, days }: LogScope,
  positions: Positions,
  now: number,
): boolean => {
  if (!projections.includes(projectionOf(row.kind))) return false;
  if (isOver(row, now) || (row.kind === 'day' && !days)) return false;
  if (org !== undefined && row.org !== org) return false;
  const { place } = row;
  return !place || place.offset < offsetIn(positions, place);
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

/** Events of which the store refused a part, by the places that they have: they are in the dead letters, and may be missing. */
const refusedPlaces = async (log: Pick<EventLog, 'read' | 'ends'>): Promise<ReadonlySet<string>> => {
  const places = new Set<string>();
  for await (const { headers } of deadLetterRecords(log)) {
    const { step, topic = '', partition } = headers;
    const offset = Number(headers[PLACE_OF] ?? headers.offset);
    if (step === 'apply') places.add(addressName({ topic, partition: Number(partition), offset }));
  }
  return places;
};
