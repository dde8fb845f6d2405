import type { AccountEvent } from '../../projections/accounts/projection.ts';
import type { RecallWrite } from '../../projections/recall/projection.ts';
import type { UsageRow } from '../../projections/usage/projection.ts';
import type { Logged, Positions, ProjectionStore, RefusedWrites } from '../../services/core/ports.ts';

export interface SubStores {
  /** `check` throws `WrongVersion` where this release may not write. */
  recall: { apply(writes: readonly RecallWrite[]): Promise<RefusedWrites>; check(): Promise<unknown> };
  usage: { append(rows: readonly UsageRow[]): Promise<void>; check(): Promise<unknown> };
  accounts: { apply(events: readonly AccountEvent[]): Promise<void> };
  admission: { settle(logged: readonly Logged[], positions: Positions): Promise<void> };
}

const NONE_REFUSED: RefusedWrites = new Set();

/**
 * Four stores that share no transaction, so each write is idempotent. Admission comes last: it drops a turn
 * from the tail once the index and the usage store have it.
 */
export const makeProjectionStore = ({
  recall,
  usage,
  accounts,
  admission,
}: SubStores): Pick<ProjectionStore, 'apply'> => ({
  apply: async batch => {
    // Before any write, since a batch that has to wait is repeated.
    await Promise.all([batch.recall.length > 0 && recall.check(), batch.usage.length > 0 && usage.check()]);
    const writes = await Promise.allSettled([
      batch.recall.length > 0 ? recall.apply(batch.recall) : NONE_REFUSED,
      batch.usage.length > 0 && usage.append(batch.usage),
      batch.accounts.length > 0 && accounts.apply(batch.accounts),
    ]);
    // All must end before the batch is repeated: a store takes a partition's batches sequentially.
    for (const write of writes) if (write.status === 'rejected') throw write.reason;
    const [recalled] = writes;
    const refused = recalled.status === 'fulfilled' ? recalled.value : NONE_REFUSED;
    if (refused.size === 0) await admission.settle(batch.logged, batch.positions);
    return refused;
  },
});
