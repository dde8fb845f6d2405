import type { DatabaseSync } from 'node:sqlite';
import type { Difference } from '../../../../projections/verify/compare.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import type { Sample } from '../../../../projections/verify/sample.ts';
import type { DecodeDocument } from '../read/decode-document.ts';

/** Turns of the current step, which determine what each of its turns bills. */
export interface StepTurns {
  /** Turns that the file did not have. */
  fresh: Set<string>;
  /** Turns that the file had as a later copy, with the UTC day to which that copy was billed. */
  moved: Map<string, string>;
}

/** The objects that the writers of one file share. */
export interface WriterPorts {
  decodeDocument: DecodeDocument;
  turns: StepTurns;
}

export interface Writer<Write> {
  /** Writes a step's folds, in the step's transaction. */
  write(writes: readonly Write[]): void;
  /**
   * Removes some of the data that had expired at `now` (Unix milliseconds), in a transaction; returns the
   * number removed.
   */
  sweep?(now: number): number;
  /** Called after a rollback: remembered rows may not be in the file. */
  forget?(): void;
  /** Called when another connection has added rows, and removed none: lists of them are read again. */
  reread?(): void;
}

/** The storage of a projection in the projections' file. */
export interface StoredProjection<Write> {
  /** SQL that creates its tables and indices if they are missing. */
  tables: string;
  /** Indices that writes don't use; creating them at the end of a build costs a third as much. */
  readIndices?: readonly string[];
  openWriter(database: DatabaseSync, ports: WriterPorts): Writer<Write>;
  /**
   * Yields its rows for a verification. Its SQL selects the rows of the sample with `in_sample(id as bytes)`
   * and `in_sample_by_name(id)`.
   */
  rows(reader: DatabaseSync): Iterable<Row>;
  /** Yields differences between its rows and the data derived from them. */
  derived?(reader: DatabaseSync, sample: Sample, decodeDocument: DecodeDocument): Iterable<Difference>;
}
