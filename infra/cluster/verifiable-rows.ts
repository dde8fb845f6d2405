import { PROJECTION_NAMES, type ProjectionName } from '../../projections/all.ts';
import type { Difference } from '../../projections/verify/compare.ts';
import type { Row } from '../../projections/verify/row.ts';
import type { Sample } from '../../projections/verify/sample.ts';
import type { Positions, VerifiableRows } from '../../services/core/ports.ts';

/** Which rows of a projection are verified. */
export interface RowsOf {
  generation: number;
  isServing: boolean;
  /** The first UTC day of usage that is kept; undefined: all are. */
  firstDay?: string | undefined;
}

/** A projection's rows in its store, for a verification. */
export interface StoredRows {
  /** A snapshot that has the rows below the positions. */
  open(positions: Positions): Promise<StoredPicture>;
  /** Ends the connection. */
  close(): Promise<void>;
}

export interface StoredPicture {
  rows(sample: Sample): AsyncIterable<Row>;
  /** What the store derived from the rows that were read last and doesn't agree with them. */
  derived(): Promise<Difference[]>;
  close(): Promise<void>;
}

export interface ClusterRows {
  /** Next offsets: everything below is settled. */
  positions: () => Promise<Positions>;
  firstDay: string | undefined;
  stores: Partial<Record<ProjectionName, StoredRows>>;
}

/**
 * The rows of projections in the shared engines. The engines' data is newer than the positions, which are read first:
 * Elasticsearch's at one point in time, ClickHouse's below the positions, Redis' documents as they are when they are
 * read.
 */
export const openClusterRows = ({ positions, firstDay, stores }: ClusterRows): VerifiableRows => {
  const projections = PROJECTION_NAMES.filter(name => stores[name] !== undefined);
  return {
    projections,
    usage: 'billed',
    firstDay,
    positions,
    open: async () => {
      const at = await positions();
      const pictures: StoredPicture[] = [];
      for (const name of projections) pictures.push(await stores[name]!.open(at));
      return {
        positions: at,
        rows: async function* (sample) {
          for (const { rows } of pictures) yield* rows(sample);
        },
        derived: async function* () {
          for (const { derived } of pictures) yield* await derived();
        },
        close: async () => {
          for (const { close } of pictures) await close();
        },
      };
    },
  };
};
