import type { DatabaseSync } from 'node:sqlite';
import type { Difference } from '../../../../projections/verify/compare.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import type { Sample } from '../../../../projections/verify/sample.ts';
import type { DecodeDocument } from '../decode-document.ts';

/** Turns of the running step, which decide what each of its turns bills. */
export interface StepTurns {
  /** Turns that the file did not have. */
  fresh: Set<string>;
  /** Turns that the file had by a later copy, with the UTC day that the later copy was billed to. */
  moved: Map<string, string>;
}

/** What the writers of one file share. */
export interface WriterPorts {
  decodeDocument: DecodeDocument;
  turns: StepTurns;
}

export interface Writer<Write> {
  /** Writes what a step folded, in the step's transaction. */
  write(writes: readonly Write[]): void;
  /** After a rollback: what is remembered of the file may not be in it. */
  forget?(): void;
}

/** How a projection is stored in the projections' file. */
export interface StoredProjection<Write> {
  /** SQL that creates its tables and indices where they are missing. */
  tables: string;
  /** Indices that writes don't use; creating them at the end of a build costs a third. */
  readIndices?: readonly string[];
  openWriter(database: DatabaseSync, ports: WriterPorts): Writer<Write>;
  /**
   * Its rows for a verification. In its SQL `in_sample(id as bytes)` and `in_sample_by_name(id)` select those of the
   * sample.
   */
  rows(reader: DatabaseSync): Iterable<Row>;
  /** What it derives from its rows and doesn't agree with them. */
  derived?(reader: DatabaseSync, sample: Sample, decodeDocument: DecodeDocument): Iterable<Difference>;
}
