import { unavailable } from '../../../core/errors.ts';
import type { Tokens, UsageReader } from '../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';

/** Days, up to today, that admission's counters cover. */
const RECENT_DAYS = 3;

export interface UsageReaderOptions {
  /**
   * Billed tokens of these UTC days, including everything answered before the call; a day without any may be
   * missing.
   */
  recent: (org: string, days: string[]) => Promise<Map<string, Tokens>>;
  /** Billed tokens of UTC days, as far as they are projected; a day without any may be missing. */
  stored: Pick<UsageReader, 'daily'>;
  /**
   * Unix milliseconds: every event recorded by then is in the store, and nothing more will be recorded by then. Throws
   * `unavailable` when the log can't be read.
   */
  projectedUntil: () => Promise<number>;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Usage from two sources: the latest days from the counters, which include what was answered a moment ago,
 * and days that are fully projected from the store. A source is read only if the period touches it: today's
 * usage is available while the store is unreachable. Throws `unavailable` for a period with a day that is in
 * neither, since the projectors are that far behind: an answer is never short.
 */
export const makeUsageReader = ({
  recent,
  stored,
  projectedUntil,
  clock,
}: UsageReaderOptions): UsageReader => {
  /** The positions are read first: what is projected while the store is read is a gain. */
  const projected: UsageReader['daily'] = async (org, from, to) => {
    if ((await projectedUntil()) < Date.parse(to) + DAY_MS)
      throw unavailable('The usage of these days is still being projected.', undefined, 30);
    return stored.daily(org, from, to);
  };
  const daily: UsageReader['daily'] = async (org, from, to) => {
    const now = clock();
    const firstRecent = utcDay(now - (RECENT_DAYS - 1) * DAY_MS);
    const lastStored = utcDay(now - RECENT_DAYS * DAY_MS);
    // Another instance's clock may be ahead, already in the next day.
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
