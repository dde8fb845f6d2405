import type { RedisAccountStore } from '../../infra/cluster/redis/account-store.ts';
import { endOfEffect } from '../../projections/accounts/lifetimes.ts';
import type { AccountEvent } from '../../projections/accounts/projection.ts';
import type { Decode } from '../core/log/events.ts';
import { type PageRange, readEvents } from '../core/log/read.ts';
import type { Positions, SharedLog } from '../core/ports.ts';
import { DAY_MS } from '../core/time.ts';

/** Events that are applied together: those of an organization are one write, however many they are. */
const AT_ONCE = 10_000;
/** None of our clocks is wrong by a day. */
const SLACK_MS = DAY_MS;

/**
 * Applies the log's account events, or those from some positions on, except those whose effect has ended: rotations of refresh
 * tokens are nearly all of the history, and none is needed when its token has expired. Those that Redis has change nothing.
 * Returns the number of events read.
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
  from?: Positions;
}): Promise<number> => {
  const now = clock();
  const lasts = (event: AccountEvent): boolean => (endOfEffect(event) ?? Infinity) + SLACK_MS > now;
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
