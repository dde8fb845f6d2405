import * as operations from './operations.ts';
import type { MonthOptions, SplitOptions, StatementOptions } from './options.ts';
import type { Caller } from './transport/caller.ts';
import { optionsOf } from './transport/requests.ts';
import type { UsageDaily, UsageMonth, UsageStatement, UsageToday } from './types.ts';

/**
 * Token usage of the organization, in UTC; needs the role `usage:read`. With `by` each has its `split`: for a
 * key without `*` its own user's alone, of which the sums are then, too.
 */
export interface Usage {
  /** Today's usage, with the daily caps. */
  today(options?: SplitOptions): Promise<UsageToday>;
  month(options?: MonthOptions): Promise<UsageMonth>;
  /** Usage of each day of a month. */
  daily(options?: MonthOptions): Promise<UsageDaily>;
  /**
   * The signed statement of a month: a JWS of its totals by day and the Merkle root of what was billed.
   * Throws a `TurnstoneError` of status 409 until two hours after the month's end, and 422 for a month in the
   * future.
   */
  statement(options: StatementOptions): Promise<UsageStatement>;
}

export const makeUsage = ({ call }: Caller): Usage => ({
  today: async (options = {}) => {
    const { by, limit, ...rest } = optionsOf(options);
    return call(operations.usageToday({ by, limit }), rest);
  },
  month: async (options = {}) => {
    const { month, by, limit, ...rest } = optionsOf(options);
    return call(operations.usageMonth({ month, by, limit }), rest);
  },
  daily: async (options = {}) => {
    const { month, by, limit, ...rest } = optionsOf(options);
    return call(operations.usageDaily({ month, by, limit }), rest);
  },
  statement: async options => {
    const { month, ...rest } = optionsOf(options);
    return call(operations.usageStatement({ month }), rest);
  },
});
