import * as operations from './operations.ts';
import type { CallOptions, MonthOptions, StatementOptions } from './options.ts';
import type { Caller } from './transport/caller.ts';
import { optionsOf } from './transport/requests.ts';
import type { UsageDaily, UsageMonth, UsageStatement, UsageToday } from './types.ts';

/** Token usage of the organization, in UTC; needs the role `usage:read`. */
export interface Usage {
  /** Today's usage, with the daily caps. */
  today(options?: CallOptions): Promise<UsageToday>;
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
  today: options => call(operations.usageToday(), options),
  month: async (options = {}) => {
    const { month, ...rest } = optionsOf(options);
    return call(operations.usageMonth({ month }), rest);
  },
  daily: async (options = {}) => {
    const { month, ...rest } = optionsOf(options);
    return call(operations.usageDaily({ month }), rest);
  },
  statement: async options => {
    const { month, ...rest } = optionsOf(options);
    return call(operations.usageStatement({ month }), rest);
  },
});
