import { type Clickhouse, inRequests, tuple } from '../clickhouse-client.ts';
import { COUNTS, countsOf, NAMES, type StoredCounts } from './activity-sums.ts';
import { ACTIVITY_SERVING } from './activity-tables.ts';

/** The most days that one call rolls up. */
const MOST_DUE = 10_000;

interface DueDay {
  org: string;
  day: string;
  /** The number of the day's writes that were acknowledged before its rows were read. */
  marks: string;
}

// In random order, so that concurrent processes begin with different days.
const DUE = `
  SELECT marked.org AS org, marked.day AS day, marked.marks AS marks
  FROM (SELECT org, day, sum(marks) AS marks FROM activity_marks WHERE day <= {last:Date} GROUP BY org, day) AS marked
  LEFT JOIN (SELECT org, day, marks FROM activity_days FINAL WHERE owner = '' AND day <= {last:Date}) AS rolled
    ON marked.org = rolled.org AND marked.day = rolled.day
  WHERE rolled.marks <> marked.marks
  ORDER BY rand() LIMIT ${MOST_DUE}`;

const ROWS = `FROM ${ACTIVITY_SERVING} WHERE (org, day) IN {days:Array(Tuple(String, Date))}`;

// As many owners as there are: they don't leave ClickHouse.
const OWNERS = `
  INSERT INTO activity_days (org, owner, day, ${NAMES.map(name => name.slice(2)).join(', ')}, marks)
  SELECT org, whose, day, ${NAMES.join(', ')}, {marks:Map(String, UInt64)}[concat(org, ' ', toString(day))]
  FROM (SELECT org, owner AS whose, day, ${COUNTS} ${ROWS} AND owner <> '' GROUP BY org, owner, day)
  SETTINGS final = 1`;

const TOTALS = `SELECT org, day, ${COUNTS} ${ROWS} GROUP BY org, day SETTINGS final = 1`;

const keyOf = ({ org, day }: { org: string; day: string }): string => JSON.stringify([org, day]);

/**
 * Sums the distinct rows of these days. Marks are counted before the rows are read, so the count misses every
 * write that the sums miss: such a write voids the rollup, whenever it is stored. A total says that a day is
 * rolled up, and is stored after its owners.
 */
const rollUp = async (clickhouse: Clickhouse, due: readonly DueDay[]): Promise<void> => {
  const days = due.map(({ org, day }) => tuple(org, day));
  const marks = new Map(due.map(one => [`${one.org} ${one.day}`, Number(one.marks)]));
  await clickhouse.command(OWNERS, { days, marks });
  const totals = await clickhouse.rows<StoredCounts & { org: string }>(TOTALS, { days });
  const totalOf = new Map(totals.map(total => [keyOf(total), total]));
  await clickhouse.insert(
    'activity_days',
    due.map(one => {
      const total = totalOf.get(keyOf(one));
      // A day has none if all its rows are copies of another day's: its columns are empty.
      return { ...(total && countsOf(total)), ...one, owner: '' };
    }),
  );
};

/**
 * Rolls up the days up to `last` that were written to since their last rollup, of all organizations; resolves
 * with their number. Safe to run concurrently: a rollup is replaced as a whole, and one that counted too few
 * writes is never read.
 */
export const rollUpActivity = async (clickhouse: Clickhouse, last: string): Promise<number> => {
  const due = await clickhouse.rows<DueDay>(DUE, { last });
  // Each is named twice, with its marks.
  for (const part of inRequests(due, one => `${keyOf(one)}${keyOf(one)}${one.marks}`))
    await rollUp(clickhouse, part);
  return due.length;
};

/**
 * Adds a mark to every day of either generation, in every organization. This voids rollups of the other
 * generation's rows, including those in progress.
 */
export const voidRollups = (table: string): string => `
  INSERT INTO activity_marks (org, day, marks)
  SELECT org, day, 1 FROM (SELECT org, day FROM activity_marks UNION DISTINCT SELECT org, day FROM ${table})
  WHERE org <> ''`;

/** The days of a period that have rows. `holds`: the day's rollup includes every write. */
export const MARKED = `
  SELECT marked.day AS day, rolled.marks = marked.marks AS holds
  FROM (
    SELECT day, sum(marks) AS marks FROM activity_marks
    WHERE org = {org:String} AND day BETWEEN {from:Date} AND {to:Date} GROUP BY day
  ) AS marked
  LEFT JOIN (
    SELECT day, marks FROM activity_days FINAL
    WHERE org = {org:String} AND owner = '' AND day BETWEEN {from:Date} AND {to:Date}
  ) AS rolled ON marked.day = rolled.day`;

/** The rollups of these owners; an owner of whom a later rollup of the day found nothing is left out. */
export const ROLLED = `
  SELECT rolled.day AS day, sum(turns) AS n_turns, max(users) AS n_users, sum(sessions) AS n_sessions,
    sum(facts) AS n_facts, sum(recalls) AS n_recalls, sumForEach(latency) AS n_latency,
    sumForEach(confidence) AS n_confidence
  FROM (
    SELECT * FROM activity_days FINAL
    WHERE org = {org:String} AND owner IN {owners:Array(String)} AND day BETWEEN {from:Date} AND {to:Date}
  ) AS rolled
  INNER JOIN (
    SELECT day, marks AS latest FROM activity_days FINAL
    WHERE org = {org:String} AND owner = '' AND day BETWEEN {from:Date} AND {to:Date}
  ) AS total ON rolled.day = total.day
  WHERE rolled.marks >= total.latest
  GROUP BY rolled.day`;

/** Valid rollups that aren't the sum of their rows. One query, since a write between two would make them differ. */
export const differingRollups = (table: string): string => `
  SELECT rolled.org AS org, rolled.owner AS whose, rolled.day AS day
  FROM (SELECT * FROM activity_days FINAL) AS rolled
  JOIN (SELECT org, day, sum(marks) AS marks FROM activity_marks GROUP BY org, day) AS marked
    ON rolled.org = marked.org AND rolled.day = marked.day
  LEFT JOIN (
    SELECT org, '' AS whose, day, ${COUNTS} FROM ${table} FINAL GROUP BY org, day
    UNION ALL
    SELECT org, owner AS whose, day, ${COUNTS} FROM ${table} FINAL WHERE owner <> '' GROUP BY org, owner, day
  ) AS summed ON rolled.org = summed.org AND rolled.owner = summed.whose AND rolled.day = summed.day
  WHERE rolled.marks = marked.marks
    AND (${['turns', 'users', 'sessions', 'facts', 'recalls']
      .map(name => `rolled.${name} <> summed.n_${name}`)
      .join(' OR ')})`;
