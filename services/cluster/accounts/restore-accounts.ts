import { isOutage } from '../../../core/errors.ts';
import type { Decode } from '../../../core/log/events.ts';
import { hasReached, ofAccounts } from '../../../core/log/positions.ts';
import { type PageRange, readEvents } from '../../../core/log/read.ts';
import type { Positions, SharedLog } from '../../../core/ports.ts';
import type {
  AccountEntities,
  EntityPage,
} from '../../../infra/cluster/elasticsearch/accounts/account-entities.ts';
import type { RedisAccountStore } from '../../../infra/cluster/redis/accounts/account-store.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import { hasEffect } from '../../../projections/accounts/lifetimes.ts';

/** Events that are applied together: those of an organization are one write, however many they are. */
const AT_ONCE = 10_000;

/**
 * Applies the log's account events, all or from some positions on, except those whose effect has ended:
 * rotations of refresh tokens are nearly all of the history, and none is needed when its token has expired.
 * Events that Redis has already change nothing. Returns the number of events read.
 */
export const restoreAccounts = async ({
  log,
  decode,
  accounts,
  clock,
  from = {},
}: {
  log: Pick<SharedLog, 'read' | 'ends'>;
  decode: Decode;
  accounts: Pick<RedisAccountStore, 'apply'>;
  /** Unix milliseconds. */
  clock: () => number;
  from?: Positions | undefined;
}): Promise<number> => {
  const now = clock();
  const lasts = (event: AccountEvent): boolean => hasEffect(event, now);
  let waiting: AccountEvent[] = [];
  let count = 0;
  const range: PageRange = { topics: ['accounts'], from, to: await log.ends() };
  for await (const events of readEvents({ log, decode }, range)) {
    count += events.length;
    waiting = waiting.concat((events as unknown as AccountEvent[]).filter(lasts));
    if (waiting.length < AT_ONCE) continue;
    await accounts.apply(waiting);
    waiting = [];
  }
  await accounts.apply(waiting);
  return count;
};

export interface RebuildAccountsPorts {
  log: Pick<SharedLog, 'read' | 'ends'>;
  index: Pick<AccountEntities, 'positions' | 'eachLiving'>;
  /** Unix milliseconds. */
  clock: () => number;
  /** Called when the index can't be used, and everything is read from the log. */
  onUnusable: (reason: string) => void;
}

/** The result: documents and markers written from the index, and the number of events read from the log. */
export interface RebuiltAccounts {
  entities: number;
  events: number;
}

/**
 * Makes the call that restores the accounts of a Redis whose data were dropped: live accounts from the index,
 * then the log from the index's positions on. While the index doesn't answer or is of another log, it reads
 * the log alone, with the same result.
 */
export const makeRebuildAccounts = ({ log, index, clock, onUnusable }: RebuildAccountsPorts) => {
  /**
   * Whether reading the index failed. Part of its documents is in Redis then, so everything is dropped and
   * rebuilt without the index.
   */
  let hasFailed = false;

  const findPositions = async (): Promise<Positions | undefined> => {
    if (hasFailed) return undefined;
    const ends = ofAccounts(await log.ends());
    try {
      const positions = await index.positions(Object.keys(ends));
      if (hasReached(ends, positions)) return positions;
      onUnusable('the index is beyond the end of the log');
    } catch (error) {
      if (!isOutage(error)) throw error;
      onUnusable((error as Error).message);
    }
    return undefined;
  };

  return async ({ decode, accounts }: AccountsInside): Promise<RebuiltAccounts> => {
    const from = await findPositions();
    hasFailed = false;
    let entities = 0;
    if (from) {
      let isRedis = false;
      const take = async (page: EntityPage): Promise<void> => {
        await accounts.restore(page).catch(error => {
          isRedis = true;
          throw error;
        });
        entities += page.states.length + page.markers.length;
      };
      try {
        await index.eachLiving(from, clock(), take);
      } catch (error) {
        hasFailed = !isRedis;
        throw error;
      }
    }
    const events = await restoreAccounts({ log, decode, accounts, clock, from });
    return { entities, events };
  };
};

interface AccountsInside {
  decode: Decode;
  accounts: Pick<RedisAccountStore, 'apply' | 'restore'>;
}
