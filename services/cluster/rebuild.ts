import type { RebuiltFrom } from '../../infra/cluster/redis/admission.ts';
import type { RedisClient } from '../../infra/cluster/redis/client.ts';
import { rebuildAdmission } from '../../infra/cluster/redis/rebuild.ts';
import type { AccountEvent } from '../../projections/accounts/projection.ts';
import { makeDecode } from '../core/log/events.ts';
import { loggedOf } from '../core/log/logged.ts';
import { readEvents } from '../core/log/read.ts';
import { utcDay } from '../core/quota-exceeded.ts';
import { PROJECTOR_GROUP } from '../workers/projector/group.ts';
import type { Adapters } from './adapters.ts';

const DAY_MS = 86_400_000;

/** Those that Redis counts, and one more on both sides: clocks differ. */
const latestDays = (now: number): { from: string; to: string } => ({
  from: utcDay(now - 4 * DAY_MS),
  to: utcDay(now + DAY_MS),
});

/**
 * All that Redis holds of ours, from the log and the usage store: sealing keys first, since they open the rest, then
 * accounts, then admission. What was there has been dropped; `redis` passes the gate.
 */
export const rebuildRedis = async (
  { log, usage, namespace, clock, keysOn, accountsOn }: Omit<Adapters, 'gate' | 'generations' | 'repairs'>,
  redis: RedisClient,
  epoch: string,
): Promise<RebuiltFrom> => {
  const keys = keysOn(redis);
  try {
    await keys.restore();
    const decode = makeDecode(keys);
    const { apply } = accountsOn(redis);
    for await (const events of readEvents({ log, decode }, ['accounts'], {}, await log.ends()))
      await apply(events as unknown as AccountEvent[]);
    return await rebuildAdmission({
      inside: redis,
      epoch,
      namespace,
      clock,
      committed: () => log.committed(PROJECTOR_GROUP),
      ends: log.ends,
      readLogged: async function* (from, to) {
        for await (const events of readEvents({ log, decode }, ['turns', 'usage'], from, to))
          yield events.map(loggedOf);
      },
      totals: below => usage.totals(latestDays(clock()), below),
      isBilled: usage.has,
    });
  } finally {
    await keys.close();
  }
};
