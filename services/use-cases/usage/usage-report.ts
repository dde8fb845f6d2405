import type { SplitUsage, Tokens, UsageReader } from '../../../core/ports.ts';
import { seesAll } from '../../../core/scope.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';
import type { CappedContext, Principal, UseCases } from '../../../core/use-cases.ts';
import { SHARES, type UsageMonthQuery, type UsageSplitQuery } from '../../../schemas/http/usage.ts';
import { type SplitSums, splitSums, totals } from './usage-split.ts';

export interface UsagePorts {
  usage: UsageReader;
  split: SplitUsage;
  /** Unix milliseconds. */
  clock: () => number;
}

const NONE: Tokens = { tokensIn: 0, tokensOut: 0 };

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

/**
 * `GET /usage/*`: each answer includes every call that was answered before it. The sums are the
 * organization's, for whoever may read usage: its caps, by which calls are refused, are the organization's
 * too. Split, a caller that may name no other user gets its own user's alone.
 */
export const makeUsageReport = ({
  usage,
  split,
  clock,
}: UsagePorts): Pick<UseCases, 'usageToday' | 'usageMonth' | 'usageDaily'> => {
  /**
   * Reads the split, then what was billed: what is projected in between is in both, and nothing is in the
   * split alone. Without `by` there is no split.
   */
  const read = async <Billed>(
    principal: Principal,
    { by, limit: most = SHARES }: UsageSplitQuery,
    [from, to]: readonly [string, string],
    billedOf: (org: string) => Promise<Billed>,
  ): Promise<{ billed: Billed; sumsOf?: (days: readonly string[], counted: Tokens) => SplitSums }> => {
    const { orgId: org } = principal;
    if (by === undefined) return { billed: await billedOf(org) };
    const user = seesAll(principal) ? undefined : principal.userId;
    const found = await split(org, { by, from, to, user, most });
    const sumsOf = (days: readonly string[], counted: Tokens) =>
      splitSums(by, found, days, user === undefined ? counted : undefined);
    return { billed: await billedOf(org), sumsOf };
  };

  return {
    usageToday: async (principal: Principal, asked: UsageSplitQuery, { caps }: CappedContext) => {
      const day = utcDay(clock());
      const start = Date.parse(day);
      const { billed, sumsOf } = await read(principal, asked, [day, day], org => usage.billed(org, day, day));
      return {
        period: 'day_utc',
        start: offsetFormat(start),
        end: offsetFormat(start + DAY_MS),
        ...answerOf([day], billed, sumsOf),
        limits: { tokens_in: caps.tokensIn, tokens_out: caps.tokensOut },
      };
    },
    usageMonth: async (principal: Principal, { month, ...asked }: UsageMonthQuery) => {
      const { days, from, to, bounds } = monthOf(clock(), month);
      const { billed, sumsOf } = await read(principal, asked, [from, to], org => usage.billed(org, from, to));
      return { ...bounds, ...answerOf(days, billed, sumsOf) };
    },
    usageDaily: async (principal: Principal, { month, ...asked }: UsageMonthQuery) => {
      const { days, from, to, bounds } = monthOf(clock(), month);
      const { billed, sumsOf } = await read(principal, asked, [from, to], org => usage.daily(org, from, to));
      // The next day may already have begun by another instance's clock.
      const last = [utcDay(clock()), ...billed.keys()].sort().at(-1)!;
      return {
        ...bounds,
        days: days
          .filter(day => day <= last)
          .map(day => ({ day, ...answerOf([day], billed.get(day) ?? NONE, sumsOf) })),
      };
    },
  };
};

const answerOf = (
  days: readonly string[],
  billed: Tokens,
  sumsOf: ((days: readonly string[], counted: Tokens) => SplitSums) | undefined,
) => {
  const found = sumsOf?.(days, billed);
  return { ...totals(found?.sums ?? billed), ...(found && { split: found.split }) };
};
