import { ServiceError } from '../../../core/errors.ts';
import type { ActivityReader, KeyStore } from '../../../core/ports.ts';
import { boundSession, readScope } from '../../../core/scope.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { scopeDigest } from '../../../domain/identity/identity.ts';
import { emptyDay } from '../../../projections/activity/activity-days.ts';
import { STATS_DAYS } from '../../../schemas/http/stats.ts';
import { CONFIDENCE_BINS, LATENCY_BOUNDS_MS } from '../../../schemas/recall-bins.ts';

export interface StatsPorts {
  activity: ActivityReader;
  keys: Pick<KeyStore, 'idsOf'>;
  /** Unix milliseconds. */
  clock: () => number;
}

const summed = (bins: readonly (readonly number[])[], at: number): number =>
  bins.reduce((sum, one) => sum + one[at]!, 0);

/**
 * `GET /memory/stats`: what was counted on each of the last days. A user's turns are found by the user's own
 * key, which an erasure destroys, and recalls by the digest of the id.
 */
export const makeMemoryStats =
  ({ activity, keys, clock }: StatsPorts): UseCases['stats'] =>
  async (principal, { user_id, days = STATS_DAYS }) => {
    if (boundSession(principal) !== undefined)
      throw new ServiceError('forbidden', 'This credential may only see its own session.');
    const { org, user } = readScope(principal, user_id === undefined ? {} : { user_id });
    const owners =
      user === undefined ? undefined : [...(await keys.idsOf(org, user)), scopeDigest([org, user])];
    const last = Date.parse(utcDay(clock()));
    const asked = Array.from({ length: days }, (_, n) => utcDay(last - (days - 1 - n) * DAY_MS));
    const counted = await activity.days(org, owners, asked[0]!, asked.at(-1)!);
    const byDay = new Map(counted.map(one => [one.day, one]));
    const latency = counted.map(one => one.latency);
    const confidence = counted.map(one => one.confidence);
    return {
      days: asked.map(day => {
        const { turns, users, sessions, facts, recalls } = byDay.get(day) ?? emptyDay(org, '', day);
        return { day, turns, users, sessions, facts, recalls };
      }),
      latency_ms: [...LATENCY_BOUNDS_MS, null].map((up_to, n) => ({ up_to, recalls: summed(latency, n) })),
      confidence: Array.from({ length: CONFIDENCE_BINS }, (_, n) => ({
        from: n / CONFIDENCE_BINS,
        to: (n + 1) / CONFIDENCE_BINS,
        recalls: summed(confidence, n),
      })),
    };
  };
