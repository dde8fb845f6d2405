import { hash } from 'node:crypto';

/** The event that a row comes from. */
export interface RowAddress {
  topic: string;
  partition: number;
  /** The event offset (event-offset.ts). */
  offset: number;
}

/** A row of a projection, as a verification compares it: the same for the log and for every store. */
export interface Row {
  /** The projection's name. */
  projection: string;
  /** Used by a single projection. */
  kind: string;
  /** '' when the store does not record it. */
  org: string;
  /** Unique within its kind. */
  id: string;
  /** Rows of one unit are sampled together: see sample.ts. */
  unit: string;
  /** First 128 bits of SHA-256 over every field, hex. */
  hash: string;
  /** Undefined when the row comes from several events. */
  address: RowAddress | undefined;
  /** Set for a total, or one of few documents: every sample includes it. */
  isWhole?: true;
  /** Whether an extractor found it; a client's own observation takes precedence. */
  extracted?: boolean;
  /** When a store may delete it, Unix milliseconds. */
  end?: number | undefined;
  /**
   * From when its organization's retention counts for it, Unix milliseconds; undefined: it is for good, or
   * until `end`.
   */
  keptFrom?: number | undefined;
}

/**
 * The sampling unit: a turn and everything derived from it, identified by the 32 digits that their ids share.
 */
export const unitOf = (id: string): string => /^(?:trn|ext|vec|job)_([0-9a-f]{32})/.exec(id)?.[1] ?? id;

export const digestOf = (fields: readonly unknown[]): string =>
  hash('sha256', JSON.stringify(fields)).slice(0, 32);

/** Returns a number that other fields change, in digits that a person can compare. */
export const digestNumber = (fields: readonly unknown[]): number =>
  Number.parseInt(digestOf(fields).slice(0, 7), 16);
