import { makeDecode, openKeysOf } from '../../../core/log/events.ts';
import { loggedOf } from '../../../core/log/logged.ts';
import { ofAccounts } from '../../../core/log/positions.ts';
import { readEvents } from '../../../core/log/read.ts';
import type { Positions, SharedLog } from '../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';
import type { UsageStore } from '../../../infra/cluster/clickhouse/usage-store.ts';
import type { LogKeyStore } from '../../../infra/cluster/keys/key-store.ts';
import type { RedisAccountStore } from '../../../infra/cluster/redis/accounts/account-store.ts';
import type { RebuiltFrom } from '../../../infra/cluster/redis/admission/admission.ts';
import type { RebuildAdmission } from '../../../infra/cluster/redis/admission/rebuild/rebuild.ts';
import { PROJECTIONS } from '../../../projections/all.ts';
import { PROJECTOR_GROUP } from '../../workers/projector/group.ts';
import type { makeRebuildAccounts, RebuiltAccounts } from './restore-accounts.ts';

/** The result of a rebuild: facts for every process, and the positions up to which it applied the log. */
export interface Rebuilt {
  facts: RebuiltFrom;
  applied: Positions;
  accounts: RebuiltAccounts;
}

/**
 * The inputs of a rebuild: the log, the usage store, and the stores that it fills, on one connection to
 * Redis.
 */
export interface RebuildPorts {
  log: Pick<SharedLog, 'read' | 'ends' | 'committed'>;
  usage: Pick<UsageStore, 'totals' | 'has'>;
  recall: Pick<RebuildAdmission, 'datedAhead'>;
  /** Unix milliseconds. */
  clock: () => number;
  keys: Pick<LogKeyStore, 'byId' | 'destroyKeys' | 'close'>;
  accounts: Pick<RedisAccountStore, 'apply' | 'restore'>;
  rebuildAccounts: ReturnType<typeof makeRebuildAccounts>;
  admission: {
    rebuild(
      from: Omit<RebuildAdmission, 'inside' | 'epoch' | 'namespace' | 'tail' | 'clock'>,
    ): Promise<RebuiltFrom>;
  };
}

/** The days that Redis counts, and one more on both sides, because clocks differ. */
const latestDays = (now: number): { from: string; to: string } => ({
  from: utcDay(now - 4 * DAY_MS),
  to: utcDay(now + DAY_MS),
});

/**
 * Rebuilds all our data in Redis from the log, the index of accounts and the usage store: accounts, then
 * admission. Keys are found in their index, and cached when they are used. The old data has been dropped; the
 * stores' connection bypasses the gate.
 */
export const rebuildRedis = async ({
  log,
  usage,
  recall,
  clock,
  keys,
  accounts,
  rebuildAccounts,
  admission,
}: RebuildPorts): Promise<Rebuilt> => {
  try {
    const ends = await log.ends();
    const decode = makeDecode(keys);
    const restored = await rebuildAccounts({ decode, accounts });
    const facts = await admission.rebuild({
      committed: () => log.committed(PROJECTOR_GROUP),
      ends: log.ends,
      readLogged: async function* (from, to) {
        for await (const events of readEvents(
          { log, decode, prepare: records => openKeysOf(keys, records) },
          { topics: PROJECTIONS.usage.topics, from, to },
        ))
          yield events.map(loggedOf);
      },
      totals: below => usage.totals(latestDays(clock()), below),
      isBilled: usage.has,
      datedAhead: recall.datedAhead,
    });
    return { facts, applied: { ...facts.floor, ...ofAccounts(ends) }, accounts: restored };
  } finally {
    await keys.close();
  }
};
