import type { WriteTargets } from '../../core/generations.ts';
import type { GenerationEngine } from '../../core/ports/projection/generation-engine.ts';
import type {
  Logged,
  LogRange,
  Positions,
  ProjectionStore,
  Written,
  WrongVersion,
} from '../../core/ports.ts';
import {
  GENERATIONAL,
  type Generational,
  PROJECTION_NAMES,
  PROJECTIONS,
  type ProjectionName,
  type WritesOf,
} from '../../projections/all.ts';
import type { RowsOf, StoredRows } from './verifiable-rows.ts';

/** One projection's store in the shared engines, as projectors write it. */
export interface SubStore<Write> {
  /**
   * Writes a batch; idempotent. `range`: the log range of the writes, which the store then holds; the store
   * is behind if it lacks what precedes the range.
   */
  apply(writes: readonly Write[], range?: LogRange): Promise<Written>;
  /** Resolves with the generations to write to, if this build may. */
  targets?(): Promise<WriteTargets | WrongVersion>;
}

/** A store kept in generations, as projectors, replays and verifications use it. */
export interface GenerationalStore<Write> extends Required<SubStore<Write>> {
  engine: GenerationEngine<Write, unknown>;
  /** Connects to the rows over a separate connection. */
  connectRows(of: RowsOf): StoredRows;
}

export type GenerationalStores = {
  [Name in Generational]: GenerationalStore<WritesOf[Name][number]>;
};

export type SubStores = { [Name in ProjectionName]: SubStore<WritesOf[Name][number]> } & {
  admission: { settle(logged: readonly Logged[], positions: Positions): Promise<void> };
};

/**
 * Combines stores that share no transaction, so each write is idempotent. Admission comes last: it drops a
 * turn from the tail once the index and the usage store have it.
 */
export const makeProjectionStore = ({ admission, ...stores }: SubStores): Pick<ProjectionStore, 'apply'> => ({
  apply: async batch => {
    const { range } = batch;
    const written = PROJECTION_NAMES.filter(name => batch[name].length > 0 || reads(name, range)).map(
      name => ({
        store: stores[name] as SubStore<unknown>,
        own: batch[name],
        range: reads(name, range) ? range : undefined,
      }),
    );
    // Check before any write, since a batch that has to wait is repeated.
    for (const targets of await Promise.all(written.map(({ store }) => store.targets?.())))
      if (targets && 'kind' in targets) return targets;
    const writes = await Promise.allSettled(written.map(({ store, own, range }) => store.apply(own, range)));
    // All writes must end before the batch is repeated: a store takes a partition's batches sequentially.
    const refused = new Set<object>();
    for (const write of writes.map(settledValue)) {
      if (write.kind !== 'written') return write;
      for (const one of write.refused) refused.add(one);
    }
    if (refused.size === 0) await admission.settle(batch.logged, batch.positions);
    return { kind: 'written', refused };
  },
});

/** Returns whether the range advances a projection's generations, even without writes. */
const reads = (name: ProjectionName, range: LogRange | undefined): boolean =>
  range !== undefined &&
  (GENERATIONAL as readonly string[]).includes(name) &&
  (PROJECTIONS[name].topics as readonly string[]).includes(range.topic);

const settledValue = <T>(settled: PromiseSettledResult<T>): T => {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
};
