import type { DayOfActivity } from '../../../../projections/activity/activity-days.ts';
import { CONFIDENCE_BINS, LATENCY_BOUNDS_MS } from '../../../../schemas/recall-bins.ts';

const bins = (column: string, most: number): string =>
  `[${Array.from({ length: most }, (_, n) => `countIf(${column} = ${n})`).join(', ')}]`;

/** Sums of a day's rows. Their names differ from the columns', which ClickHouse would take for them. */
export const COUNTS = `
  sum(turns) AS n_turns,
  uniqExactIf(owner, turns > 0 AND owner <> '') AS n_users,
  uniqExactIf((owner, session), turns > 0) AS n_sessions,
  sum(facts) AS n_facts,
  sum(recalls) AS n_recalls,
  ${bins('latency', LATENCY_BOUNDS_MS.length + 1)} AS n_latency,
  ${bins('confidence', CONFIDENCE_BINS)} AS n_confidence`;

/** Their names, in this order. */
export const NAMES = [
  'n_turns',
  'n_users',
  'n_sessions',
  'n_facts',
  'n_recalls',
  'n_latency',
  'n_confidence',
] as const;

/** 64-bit numbers may come as strings. */
type Count = number | string;

export interface StoredCounts {
  day: string;
  n_turns: Count;
  n_users: Count;
  n_sessions: Count;
  n_facts: Count;
  n_recalls: Count;
  n_latency: Count[];
  n_confidence: Count[];
}

export const countsOf = (row: StoredCounts): Omit<DayOfActivity, 'org' | 'owner'> => ({
  day: row.day,
  turns: Number(row.n_turns),
  users: Number(row.n_users),
  sessions: Number(row.n_sessions),
  facts: Number(row.n_facts),
  recalls: Number(row.n_recalls),
  latency: row.n_latency.map(Number),
  confidence: row.n_confidence.map(Number),
});
