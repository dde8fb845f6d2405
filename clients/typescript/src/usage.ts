import type { Caller } from './caller.ts';
import type { CallOptions, MonthOptions } from './options.ts';
import { query } from './query.ts';
import type { UsageDaily, UsageMonth, UsageToday } from './types.ts';

/** Tokens of the organization, in UTC; needs the role `usage:read`. */
export interface Usage {
  /** With the caps of a day. */
  today(options?: CallOptions): Promise<UsageToday>;
  month(options?: MonthOptions): Promise<UsageMonth>;
  /** Each day of a month. */
  daily(options?: MonthOptions): Promise<UsageDaily>;
}

export const makeUsage = ({ call }: Caller): Usage => ({
  today: options => call({ method: 'GET', path: '/usage/today' }, options) as Promise<UsageToday>,
  month: ({ month, ...options } = {}) =>
    call(
      { method: 'GET', path: `/usage/summary${query<'usageMonth'>({ month })}` },
      options,
    ) as Promise<UsageMonth>,
  daily: ({ month, ...options } = {}) =>
    call(
      { method: 'GET', path: `/usage/daily${query<'usageDaily'>({ month })}` },
      options,
    ) as Promise<UsageDaily>,
});
