import type { ProjectionName } from '../../../projections/all.ts';
import type { Difference } from '../../../projections/verify/compare.ts';
import type { RowScope } from '../../../projections/verify/log-rows.ts';
import type { Row } from '../../../projections/verify/row.ts';
import type { Sample } from '../../../projections/verify/sample.ts';
import type { Positions } from '../log/event-log.ts';

/** The content of a generation, for a comparison with the log. */
export interface VerifiableRows extends Pick<RowScope, 'firstDay'> {
  /** The projections that it contains. */
  projections: readonly ProjectionName[];
  /** Next offsets: the rows of every event below them can be read. */
  positions(): Promise<Positions>;
  /** Take a snapshot of all rows, as consistent as the engines allow. */
  open(): Promise<RowsPicture>;
}

export interface RowsPicture {
  /** Next offsets from before the snapshot. The snapshot may contain part of the writes of later events. */
  positions: Positions;
  rows(sample: Sample): AsyncIterable<Row>;
  /**
   * Return derived structures of the store that disagree with its rows. Called after `rows`; covers the same
   * sample.
   */
  derived(sample: Sample): AsyncIterable<Difference>;
  /**
   * Return those of these turns (their units, row.ts) of which the store removed all because it had expired.
   */
  swept(units: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}
