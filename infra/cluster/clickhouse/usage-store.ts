import { ALL_WRITTEN, type LogRange, type Written } from '../../../core/ports/projection/projection-store.ts';
import type { Positions, SplitUsage, Tokens, UsageLedger } from '../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../core/time.ts';
import type { UsageWrite } from '../../../projections/usage/usage-projection.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { GenerationWriters } from '../generations/writes.ts';
import { type Clickhouse, connectClickhouse, inRequests } from './clickhouse-client.ts';
import { makeGroupWrites } from './group-writes.ts';
import { lackingBefore } from './held-positions.ts';
import { BELOW } from './schema.ts';
import { makeApplyNames } from './split/usage-names.ts';
import { makeUsageSplit } from './split/usage-split.ts';
import { appendRows } from './usage-appender.ts';
import { rollUpDays } from './usage-rollups.ts';
import { USAGE_SERVING, usageTableOf } from './usage-tables.ts';

/** For queries that a caller waits for. */
const TIMEOUT_MS = 10_000;
/** For background queries: rollups, totals of all organizations. */
const LONG_TIMEOUT_MS = 300_000;
const MOST_ROWS = 20_000;

/** UTC days, YYYY-MM-DD, inclusive. */
export interface Days {
  from: string;
  to: string;
}

export interface UsageStore {
  /**
   * Resolves when the rows are on disk; concurrent appends share an insert. Rows already stored change
   * nothing. A partition's rows must come in order, each batch after the previous one is acknowledged;
   * batches may be repeated, and come from two projectors at once. `range`: the log range of the rows, which
   * the store then holds; the store is behind if it lacks what precedes the range.
   */
  append(writes: readonly UsageWrite[], range?: LogRange): Promise<Written>;
  /** Sums the organization's distinct events by day; days beyond the retention are missing. */
  daily(org: string, from: string, to: string): Promise<Map<string, Tokens>>;
  split: SplitUsage;
  /** Returns the first day within the retention; undefined if all are kept. */
  firstDay: UsageLedger['firstDay'];
  events: UsageLedger['events'];
  /** Sums, by organization and day, the events whose first copy is below these positions. For a rebuild. */
  totals(days: Days, below: Positions): Promise<({ org: string; day: string } & Tokens)[]>;
  /** Returns which of these events have a copy below the positions. */
  has(org: string, eventIds: readonly string[], below: Positions): Promise<Set<string>>;
  /**
   * Rolls up closed days that were written to since their last rollup; resolves with their number. May run in
   * every projector at once, at any time; without rollups, reads are slower but exact.
   */
  rollUpDue(): Promise<number>;
  targets: GenerationWriters['targets'];
  /** A client with a long timeout, for replays. */
  atLeisure: Clickhouse;
  /** Resolves with the engine's version. */
  ping(): Promise<string | undefined>;
  /** Writes pending rows, then closes the connections. */
  close(): Promise<void>;
}

export interface UsageStoreOptions {
  config: ClusterConfig;
  /** Unix milliseconds. */
  clock: () => number;
  /** The delay between the end of a day and its rollup, which later rows void. */
  closeAfterMs?: number;
  /** The tables to write to. */
  generations: GenerationWriters;
  /** The least milliseconds between two inserts of this process. */
  paceMs?: number;
}

// The days of the period that have rows. `holds`: the day's rollup includes every write.
const DAYS = `
  SELECT marked.day AS day, rolled.marks = marked.marks AS holds, rolled.tokens_in AS tokens_in,
    rolled.tokens_out AS tokens_out
  FROM (
    SELECT day, sum(marks) AS marks FROM usage_marks
    WHERE org = {org:String} AND day BETWEEN {from:Date} AND {to:Date} GROUP BY day
  ) AS marked
  LEFT JOIN (
    SELECT day, tokens_in, tokens_out, marks FROM usage_days FINAL
    WHERE org = {org:String} AND day BETWEEN {from:Date} AND {to:Date}
  ) AS rolled ON marked.day = rolled.day`;

const SUMS = `
  SELECT day, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out
  FROM ${USAGE_SERVING} WHERE org = {org:String} AND day IN {days:Array(Date)} GROUP BY day SETTINGS final = 1`;

const TOTALS = `
  SELECT org, day, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out
  FROM ${USAGE_SERVING} WHERE day BETWEEN {from:Date} AND {to:Date} AND offset < ${BELOW}
  GROUP BY org, day ORDER BY org, day SETTINGS final = 1`;

/** Rows per read of a day's events; the days of a month are read concurrently. */
const PAGE = 10_000;
// In the table's own order, so that no page sorts the day. A view passes the setting to its table, but not
// the word FINAL.
const EVENTS = `
  SELECT event_id AS id, tokens_in, tokens_out FROM ${USAGE_SERVING}
  WHERE org = {org:String} AND day = {day:Date} AND event_id > {after:String}
  ORDER BY event_id LIMIT ${PAGE} SETTINGS final = 1`;

const HAS = `
  SELECT DISTINCT event_id FROM ${USAGE_SERVING}
  WHERE org = {org:String} AND event_id IN {ids:Array(String)} AND offset < ${BELOW}`;

/** 64-bit numbers may come as strings. */
interface Sum {
  tokens_in: number | string;
  tokens_out: number | string;
}

interface DaySum extends Sum {
  day: string;
}

const isRange = (item: UsageWrite | LogRange): item is LogRange => 'next' in item;

const tokens = ({ tokens_in, tokens_out }: Sum): Tokens => ({
  tokensIn: Number(tokens_in),
  tokensOut: Number(tokens_out),
});

/**
 * Opens the store of usage rows in ClickHouse, distinct by event, with rollups of closed days
 * (docs/internals/decisions/engines/0008-usage-in-clickhouse.md). `migrateUsage` creates its tables. Every
 * method throws `unavailable` for an outage.
 */
export const openUsageStore = ({
  config,
  clock,
  generations,
  closeAfterMs = DAY_MS,
  paceMs = 50,
}: UsageStoreOptions): UsageStore => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  const atLeisure = connectClickhouse(config, { timeoutMs: LONG_TIMEOUT_MS });
  const applyNames = makeApplyNames(clickhouse);
  const writes = makeGroupWrites<UsageWrite | LogRange, Written>(
    async items => {
      const rows = await applyNames(items.filter((item): item is UsageWrite => !isRange(item)));
      return appendRows(clickhouse, generations, rows, items.filter(isRange));
    },
    { paceMs, most: MOST_ROWS },
  );

  const tables = { projection: 'usage', tableOf: usageTableOf, generations };

  /** Returns the first day to read. ClickHouse deletes older rows later, and not a whole day at once. */
  const keptFrom = (): string | undefined =>
    config.usageRetentionDays > 0 ? utcDay(clock() - config.usageRetentionDays * DAY_MS) : undefined;
  const firstDay = (): string => keptFrom() ?? '1970-01-01';
  const kept = ({ from, to }: Days): Days => ({ from: from < firstDay() ? firstDay() : from, to });

  return {
    append: async (rows, range) => {
      const lacking = range && (await lackingBefore(clickhouse, tables, range));
      return lacking ?? (await writes.append(range ? [...rows, range] : rows)) ?? ALL_WRITTEN;
    },
    daily: async (org, from, to) => {
      // Two queries: in one, a rollup written meanwhile could make a day missing or counted twice.
      const days = await clickhouse.rows<DaySum & { holds: number }>(DAYS, { org, ...kept({ from, to }) });
      const open = days.filter(({ holds }) => !holds).map(({ day }) => day);
      const summed = open.length > 0 ? await clickhouse.rows<DaySum>(SUMS, { org, days: open }) : [];
      const sums = [...days.filter(({ holds }) => holds), ...summed];
      return new Map(sums.map(sum => [sum.day, tokens(sum)]));
    },
    split: makeUsageSplit(atLeisure, kept),
    firstDay: keptFrom,
    events: async function* (org, day) {
      for (let after = ''; ; ) {
        const rows = await atLeisure.rows<Sum & { id: string }>(EVENTS, { org, day, after });
        if (rows.length > 0) yield rows.map(({ id, ...sum }) => ({ id, ...tokens(sum) }));
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.id;
      }
    },
    totals: async (days, below) => {
      const parameters = { ...kept(days), below: new Map(Object.entries(below)) };
      const rows = await atLeisure.rows<DaySum & { org: string }>(TOTALS, parameters);
      return rows.map(({ org, day, ...sum }) => ({ org, day, ...tokens(sum) }));
    },
    has: async (org, eventIds, below) => {
      const answers = await Promise.all(
        inRequests(eventIds, id => id).map(ids =>
          clickhouse.rows<{ event_id: string }>(HAS, { org, ids, below: new Map(Object.entries(below)) }),
        ),
      );
      return new Set(answers.flat().map(({ event_id }) => event_id));
    },
    rollUpDue: () => rollUpDays(atLeisure, firstDay(), utcDay(clock() - DAY_MS - closeAfterMs)),
    targets: generations.targets,
    atLeisure,
    ping: async () => {
      const [answer] = await clickhouse.rows<{ version: string }>('SELECT version() AS version');
      return answer?.version;
    },
    close: async () => {
      await writes.close();
      await Promise.all([clickhouse.close(), atLeisure.close()]);
    },
  };
};
