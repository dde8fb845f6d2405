import type { Positions, VerifiableRows } from '../../core/ports.ts';
import { PROJECTION_NAMES, type ProjectionName } from '../../projections/all.ts';
import type { Difference } from '../../projections/verify/compare.ts';
import type { Row } from '../../projections/verify/row.ts';
import type { Sample } from '../../projections/verify/sample.ts';

/** The rows of a projection to verify. */
export interface RowsOf {
  generation: number;
  isServing: boolean;
  /** The first UTC day whose usage is kept; undefined if all days are. */
  firstDay?: string | undefined;
}

/** A projection's rows in its store, for a verification. */
export interface StoredRows {
  /** Opens a snapshot that includes the rows below the positions. */
  open(positions: Positions): Promise<StoredPicture>;
  /** Ends the connection. */
  close(): Promise<void>;
}

export interface StoredPicture {
  rows(sample: Sample): AsyncIterable<Row>;
  /**
   * Returns the differences between the rows that were read last and the data that the store derived from
   * them.
   */
  derived(): Promise<Difference[]>;
  /** See `RowsPicture`; default: it marks nothing that it removes. */
  swept?(units: ReadonlySet<string>): Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

export interface ClusterRows {
  /** Next offsets: everything below them is settled. */
  positions: () => Promise<Positions>;
  firstDay: string | undefined;
  stores: Partial<Record<ProjectionName, StoredRows>>;
}

/**
 * Opens the rows of projections in the shared engines. The positions are read first, so the engines' data is
 * newer: for Elasticsearch it is that of one point in time, for ClickHouse the rows below the positions, for
 * Redis the documents as they are when they are read.
 */
export const openClusterRows = ({ positions, firstDay, stores }: ClusterRows): VerifiableRows => {
  const projections = PROJECTION_NAMES.filter(name => stores[name] !== undefined);
  return {
    projections,
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
        swept: async units => {
          const found = await Promise.all(pictures.map(({ swept }) => swept?.(units) ?? new Set<string>()));
          return new Set(found.flatMap(some => [...some]));
        },
        close: async () => {
          for (const { close } of pictures) await close();
        },
      };
    },
  };
};
