import { type Clickhouse, inRequests, tuple } from './clickhouse-client.ts';
import { USAGE_SERVING } from './usage-tables.ts';

/** The most days that one call rolls up. */
const MOST_DUE = 10_000;

interface DueDay {
  org: string;
  day: string;
  /** The number of the day's writes that were acknowledged before its rows were read. */
  marks: string;
}

interface DaySum {
  org: string;
  day: string;
  tokens_in: string;
  tokens_out: string;
}

// In random order, so that concurrent processes begin with different days.
const DUE = `
  SELECT marked.org AS org, marked.day AS day, marked.marks AS marks
  FROM (
    SELECT org, day, sum(marks) AS marks FROM usage_marks
    WHERE day BETWEEN {first:Date} AND {last:Date} GROUP BY org, day
  ) AS marked
  LEFT JOIN (
    SELECT org, day, marks FROM usage_days FINAL WHERE day BETWEEN {first:Date} AND {last:Date}
  ) AS rolled ON marked.org = rolled.org AND marked.day = rolled.day
  WHERE rolled.marks <> marked.marks
  ORDER BY rand() LIMIT ${MOST_DUE}`;

const SUMS = `
  SELECT org, day, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out
  FROM ${USAGE_SERVING} WHERE (org, day) IN {days:Array(Tuple(String, Date))}
  GROUP BY org, day SETTINGS final = 1`;

const keyOf = ({ org, day }: { org: string; day: string }): string => JSON.stringify([org, day]);

/**
 * Sums the distinct rows of these days. Marks are counted before the rows are read, so the count misses every
 * write that the sums miss: such a write voids the rollup, whenever it is stored.
 */
const rollUp = async (clickhouse: Clickhouse, due: readonly DueDay[]): Promise<void> => {
  const sums = await clickhouse.rows<DaySum>(SUMS, { days: due.map(({ org, day }) => tuple(org, day)) });
  const sumOf = new Map(sums.map(sum => [keyOf(sum), sum]));
  // A day has no sums if all its rows are copies of another day's.
  const none = { tokens_in: 0, tokens_out: 0 };
  await clickhouse.insert(
    'usage_days',
    due.map(day => ({ ...none, ...sumOf.get(keyOf(day)), ...day })),
  );
};

/**
 * Rolls up the days from `first` to `last` that were written to since their last rollup, of all
 * organizations; resolves with their number. Safe to run concurrently: a rollup is replaced as a whole, and
 * one that counted too few writes is never read.
 */
export const rollUpDays = async (clickhouse: Clickhouse, first: string, last: string): Promise<number> => {
  const due = await clickhouse.rows<DueDay>(DUE, { first, last });
  for (const part of inRequests(due, keyOf)) await rollUp(clickhouse, part);
  return due.length;
};
