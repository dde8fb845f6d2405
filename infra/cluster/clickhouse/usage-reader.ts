import { unavailable } from '../../../core/errors.ts';
import type { Tokens, UsageReader } from '../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';

/** The number of days, up to today, that admission's counters cover. */
const RECENT_DAYS = 3;

export interface UsageReaderOptions {
  /**
   * Returns billed tokens of these UTC days, including all calls answered before this one; a day without any
   * may be missing.
   */
  recent: (org: string, days: string[]) => Promise<Map<string, Tokens>>;
  /** Returns billed tokens of UTC days, as far as they are projected; a day without any may be missing. */
  stored: Pick<UsageReader, 'daily'>;
  /**
   * Returns an instant (Unix milliseconds) up to which every event is in the store and none will be added.
   * Throws `unavailable` if the log can't be read.
   */
  projectedUntil: () => Promise<number>;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Reads usage from two sources: the latest days from the counters, which include calls answered a moment ago,
 * and fully projected days from the store. A source is read only if the period touches it: today's usage is
 * available while the store is unreachable. Throws `unavailable` if a day of the period is in neither source
 * because the projectors lag: an answer is never short.
 */
export const makeUsageReader = ({
  recent,
  stored,
  projectedUntil,
  clock,
}: UsageReaderOptions): UsageReader => {
  /** The positions are read first; rows projected while the store is read may be included. */
  const projected: UsageReader['daily'] = async (org, from, to) => {
    if ((await projectedUntil()) < Date.parse(to) + DAY_MS)
      throw unavailable('The usage of these days is still being projected.', undefined, 30);
    return stored.daily(org, from, to);
  };
  const daily: UsageReader['daily'] = async (org, from, to) => {
    const now = clock();
    const firstRecent = utcDay(now - (RECENT_DAYS - 1) * DAY_MS);
    const lastStored = utcDay(now - RECENT_DAYS * DAY_MS);
    // Another instance's clock may already be in the next day.
    const days = Array.from({ length: RECENT_DAYS + 1 }, (_, n) => utcDay(now + (1 - n) * DAY_MS))
      .filter(day => day >= from && day <= to)
      .reverse();
    const [counted, older] = await Promise.all([
      days.length > 0 ? recent(org, days) : undefined,
      from < firstRecent ? projected(org, from, to < firstRecent ? to : lastStored) : undefined,
    ]);
    return new Map([...(older ?? []), ...(counted ?? [])]);
  };
  return {
    daily,
    billed: async (org, from, to) => {
      const sum = { tokensIn: 0, tokensOut: 0 };
      for (const { tokensIn, tokensOut } of (await daily(org, from, to)).values()) {
        sum.tokensIn += tokensIn;
        sum.tokensOut += tokensOut;
      }
      return sum;
    },
  };
};
