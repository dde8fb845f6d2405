import type { Caps, UsageReader } from '../ports.ts';
import { utcDay } from '../quota.ts';
import type { Principal, UseCases } from '../use-cases.ts';

const DAY_MS = 86_400_000;

export interface UsagePorts {
  usage: UsageReader;
  capsOf: (org: string) => Promise<Caps>;
  /** Unix milliseconds. */
  clock: () => number;
}

const offsetFormat = (instant: number): string => new Date(instant).toISOString().replace('.000Z', '+00:00');

/** `GET /usage/today` and `/usage/summary`: both include every call that was answered before they were asked. */
export const makeUsageReport = ({
  usage,
  capsOf,
  clock,
}: UsagePorts): Pick<UseCases, 'usageToday' | 'usageMonth'> => ({
  usageToday: async (principal: Principal) => {
    const day = utcDay(clock());
    const start = Date.parse(day);
    const [billed, caps] = await Promise.all([
      usage.billed(principal.orgId, day, day),
      capsOf(principal.orgId),
    ]);
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
    const [year, number] = (month ?? utcDay(clock()).slice(0, 7)).split('-').map(Number) as [number, number];
    const start = Date.UTC(year, number - 1, 1);
    const end = Date.UTC(year, number, 1);
    const billed = await usage.billed(principal.orgId, utcDay(start), utcDay(end - DAY_MS));
    return {
      period: 'month',
      start: offsetFormat(start),
      end: offsetFormat(end),
      tokens_in: billed.tokensIn,
      tokens_out: billed.tokensOut,
    };
  },
});
