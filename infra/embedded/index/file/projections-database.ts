import { DatabaseSync } from 'node:sqlite';
import type { Positions } from '../../../../core/ports.ts';
import type { Origin } from '../../../../projections/recall/recall-writes.ts';
import { asUnavailable, isOutage } from '../../sqlite-errors.ts';
import { positionsOf, READ_POSITIONS } from './positions.ts';

/** The latest instant of a `Date`, Unix milliseconds; the earliest is its negative. */
export const NEVER = 8_640_000_000_000_000;

/** The size of a page of a projections' file. */
export const PAGE_BYTES = 8_192;

/** The name in `meta` of the embedding model by whose vectors the file is searched. */
export const SERVED_MODEL = 'embeddings';

/**
 * Returns a file's format, version, positions and model; undefined if it is no projections' file. Throws on a
 * disk error.
 */
export const describeProjections = (
  path: string,
): { format: string; version: string; positions: Positions; model?: string | undefined } | undefined => {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { readOnly: true });
    const meta = new Map(
      database
        .prepare('SELECT name, value FROM meta')
        .all()
        .map(row => [String(row.name), String(row.value)]),
    );
    const [format, version] = [meta.get('format'), meta.get('version')];
    if (format === undefined || version === undefined) return undefined;
    const positions = positionsOf(database.prepare(READ_POSITIONS).all());
    return { format, version, positions, model: meta.get(SERVED_MODEL) };
  } catch (error) {
    // A file that can't be read now must not count as missing: it would be removed.
    if (isOutage(error)) throw asUnavailable(error);
    return undefined;
  } finally {
    database?.close();
  }
};

export const openProjectionsReader = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  database.exec('PRAGMA cache_size = -24576');
  return database;
};

/** Returns `trn_` + 32 hexadecimal digits as 16 bytes; undefined if the text is no such id. */
export const bytesOfId = (id: string): Uint8Array | undefined =>
  /^[a-z]{3}_[0-9a-f]{32}$/.test(id) ? Buffer.from(id.slice(4), 'hex') : undefined;

/** Like `bytesOfId`, for ids of turns only: the digits of another kind's id identify no turn. */
export const bytesOfTurnId = (id: string): Uint8Array | undefined =>
  id.startsWith('trn_') ? bytesOfId(id) : undefined;

export const idOfBytes = (prefix: 'trn_' | 'obs_', bytes: Uint8Array): string =>
  prefix + Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

export const scopeKey = (org: string, user?: string): string =>
  JSON.stringify(user === undefined ? [org] : [org, user]);

/** Returns a partition as one number: below 1,024 for `turns`, from there on for `observations`. */
export const partitionNumber = ({ topic, partition }: Pick<Origin, 'topic' | 'partition'>): number =>
  topic === 'turns' ? partition : OBSERVATIONS + partition;
const OBSERVATIONS = 1_024;

/** Inverts `partitionNumber`. */
export const partitionOfNumber = (number: number): Pick<Origin, 'topic' | 'partition'> =>
  number < OBSERVATIONS
    ? { topic: 'turns', partition: number }
    : { topic: 'observations', partition: number - OBSERVATIONS };

/** Returns a list of fragments as the file stores it. */
export const bytesOfNumbers = (numbers: readonly number[]): Uint8Array =>
  Buffer.from(Uint32Array.from(numbers).buffer);
export const numbersOf = (bytes: Uint8Array): number[] => [...new Uint32Array(bytes.slice().buffer)];

/**
 * Identifies a segment of a scope by its level (64 fragments at level 0, eight times as many at each next
 * one) and its first fragment.
 */
export interface SegmentId {
  level: number;
  first: number;
}

export const bytesOfSegmentIds = (ids: readonly SegmentId[]): Uint8Array =>
  bytesOfNumbers(ids.flatMap(({ level, first }) => [level, first]));
export const segmentIdsOf = (bytes: Uint8Array): SegmentId[] => {
  const numbers = numbersOf(bytes);
  return Array.from({ length: numbers.length / 2 }, (_, i) => ({
    level: numbers[2 * i]!,
    first: numbers[2 * i + 1]!,
  }));
};
