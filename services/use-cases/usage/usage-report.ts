import type { UsageReader } from '../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';
import type { CappedContext, Principal, UseCases } from '../../../core/use-cases.ts';

export interface UsagePorts {
  usage: UsageReader;
  /** Unix milliseconds. */
  clock: () => number;
}

const offsetFormat = (instant: number): string => new Date(instant).toISOString().replace('.000Z', '+00:00');

/**
 * The first and last UTC days of a month, and its bounds as answers name them; default: the current month.
 */
const monthOf = (now: number, month: string | undefined) => {
  const [year, number] = (month ?? utcDay(now).slice(0, 7)).split('-').map(Number) as [number, number];
  const start = Date.UTC(year, number - 1, 1);
  const end = Date.UTC(year, number, 1);
  const days = Array.from({ length: (end - start) / DAY_MS }, (_, n) => utcDay(start + n * DAY_MS));
  const bounds = { period: 'month', start: offsetFormat(start), end: offsetFormat(end) } as const;
  return { days, from: days[0]!, to: days.at(-1)!, bounds };
};

/** `GET /usage/*`: each answer includes every call that was answered before it. */
export const makeUsageReport = ({
  usage,
  clock,
}: UsagePorts): Pick<UseCases, 'usageToday' | 'usageMonth' | 'usageDaily'> => ({
  usageToday: async (principal: Principal, { caps }: CappedContext) => {
    const day = utcDay(clock());
    const start = Date.parse(day);
    const billed = await usage.billed(principal.orgId, day, day);
    return {
      period: 'day_utc',
      start: offsetFormat(start),
      end: offsetFormat(start + DAY_MS),
      tokens_in: billed.tokensIn,
      tokens_out: billed.tokensOut,
      limits: { tokens_in: caps.tokensIn, tokens_out: caps.tokensOut },
    };
  },
  usageMonth: async (principal: Principal, month?: string) => {
    const { from, to, bounds } = monthOf(clock(), month);
    const billed = await usage.billed(principal.orgId, from, to);
    return { ...bounds, tokens_in: billed.tokensIn, tokens_out: billed.tokensOut };
  },
  usageDaily: async (principal: Principal, month?: string) => {
    const { days, from, to, bounds } = monthOf(clock(), month);
    const daily = await usage.daily(principal.orgId, from, to);
    // The next day may already have begun by another instance's clock.
    const last = [utcDay(clock()), ...daily.keys()].sort().at(-1)!;
    return {
      ...bounds,
      days: days
        .filter(day => day <= last)
        .map(day => {
          const { tokensIn, tokensOut } = daily.get(day) ?? { tokensIn: 0, tokensOut: 0 };
          return { day, tokens_in: tokensIn, tokens_out: tokensOut };
        }),
    };
  },
});
