import { CONFIDENCE_BINS, LATENCY_BOUNDS_MS } from '../../schemas/recall-bins.ts';
import { type ActivityRow, NO_BIN } from './activity-projection.ts';

/** What one organization, or one owner in it, did on a day. */
export interface DayOfActivity {
  org: string;
  /** '': all of the organization. */
  owner: string;
  /** UTC, YYYY-MM-DD. */
  day: string;
  turns: number;
  /** Of whom, and of which, a turn was stored. */
  users: number;
  sessions: number;
  facts: number;
  recalls: number;
  /** Recalls by bin (recall-bins.ts). */
  latency: number[];
  confidence: number[];
}

export const emptyDay = (org: string, owner: string, day: string): DayOfActivity => ({
  org,
  owner,
  day,
  turns: 0,
  users: 0,
  sessions: 0,
  facts: 0,
  recalls: 0,
  latency: new Array<number>(LATENCY_BOUNDS_MS.length + 1).fill(0),
  confidence: new Array<number>(CONFIDENCE_BINS).fill(0),
});

/** Adds what a row counts by itself: all but users and sessions, which count once a day. */
export const addRow = (day: DayOfActivity, row: ActivityRow, sign: 1 | -1): void => {
  day.turns += sign * row.turns;
  day.facts += sign * row.facts;
  day.recalls += sign * row.recalls;
  if (row.latency !== NO_BIN) day.latency[row.latency]! += sign;
  if (row.confidence !== NO_BIN) day.confidence[row.confidence]! += sign;
};

/** The owners that a row counts for: the organization, and whose it is. */
export const ownersOf = ({ owner }: Pick<ActivityRow, 'owner'>): readonly string[] =>
  owner === '' ? [''] : ['', owner];

const added = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((value, n) => value + other[n]!);

/** Sums up days of several owners that are one user: the user's own key, and the digest of the user's id. */
export const summedDays = (days: readonly DayOfActivity[]): Omit<DayOfActivity, 'org' | 'owner'>[] => {
  const found = new Map<string, Omit<DayOfActivity, 'org' | 'owner'>>();
  for (const { org: _, owner: __, ...one } of days) {
    const sum = found.get(one.day);
    found.set(
      one.day,
      sum
        ? {
            day: one.day,
            turns: sum.turns + one.turns,
            users: Math.max(sum.users, one.users),
            sessions: sum.sessions + one.sessions,
            facts: sum.facts + one.facts,
            recalls: sum.recalls + one.recalls,
            latency: added(sum.latency, one.latency),
            confidence: added(sum.confidence, one.confidence),
          }
        : one,
    );
  }
  return [...found.values()];
};
