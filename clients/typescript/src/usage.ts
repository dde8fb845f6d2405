import type { Caller } from './caller.ts';
import type { CallOptions, MonthOptions } from './options.ts';
import { query } from './query.ts';
import { optionsOf } from './requests.ts';
import type { UsageDaily, UsageMonth, UsageToday } from './types.ts';

/** Token usage of the organization, in UTC; needs the role `usage:read`. */
export interface Usage {
  /** Today's usage, with the daily caps. */
  today(options?: CallOptions): Promise<UsageToday>;
  month(options?: MonthOptions): Promise<UsageMonth>;
  /** Usage of each day of a month. */
  daily(options?: MonthOptions): Promise<UsageDaily>;
}

export const makeUsage = ({ call }: Caller): Usage => ({
  today: options => call({ method: 'GET', path: '/usage/today' }, options) as Promise<UsageToday>,
  month: async (options = {}) => {
    const { month, ...rest } = optionsOf(options);
    const path = `/usage/summary${query<'usageMonth'>({ month })}`;
    return (await call({ method: 'GET', path }, rest)) as UsageMonth;
  },
  daily: async (options = {}) => {
    const { month, ...rest } = optionsOf(options);
    const path = `/usage/daily${query<'usageDaily'>({ month })}`;
    return (await call({ method: 'GET', path }, rest)) as UsageDaily;
  },
});
