import type { Positions, VerifiableRows } from '../../core/ports.ts';
import { GENERATIONAL, type Generational, type ProjectionName } from '../../projections/all.ts';
import type { GenerationalStores } from './projection-store.ts';
import { openClusterRows, type StoredRows } from './verifiable-rows.ts';

/** A generation that doesn't serve yet. */
export interface OneGeneration {
  projection: Generational;
  generation: number;
}

export interface ServedRowsOptions {
  /** Next offsets: everything below them is written and visible. */
  positions: () => Promise<Positions>;
  generational: { [Name in Generational]: Pick<GenerationalStores[Name], 'connectRows'> };
  /** The number of the serving generation. */
  serving: (projection: Generational) => Promise<number>;
  /** Projections without generations. */
  others: Omit<Record<ProjectionName, StoredRows>, Generational>;
  /** The first UTC day whose usage is kept; undefined if all days are. */
  firstDay: string | undefined;
}

/**
 * Connects to the rows of the serving generations, or of one generation only, over separate connections: a
 * verification reads everything, and must not slow down calls. `close` ends the connections.
 */
export const connectServedRows = async (
  { positions, generational, serving, others, firstDay }: ServedRowsOptions,
  only: OneGeneration | undefined,
): Promise<{ rows: VerifiableRows; close(): Promise<void> }> => {
  const wanted = only
    ? [{ ...only, isServing: false }]
    : await Promise.all(
        GENERATIONAL.map(async projection => ({
          projection,
          generation: await serving(projection),
          isServing: true,
        })),
      );
  const stores: Partial<Record<ProjectionName, StoredRows>> = only ? {} : { ...others };
  for (const { projection, ...of } of wanted)
    stores[projection] = generational[projection].connectRows({ ...of, firstDay });
  return {
    rows: openClusterRows({ positions, firstDay, stores }),
    close: async () => {
      await Promise.all(Object.values(stores).map(store => store.close()));
    },
  };
};
