import type { GenerationEngine } from '../../../../core/ports/projection/generation-engine.ts';
import {
  ALL_WRITTEN,
  type LogRange,
  type Written,
} from '../../../../core/ports/projection/projection-store.ts';
import type { ActivityReader } from '../../../../core/ports.ts';
import { DAY_MS, utcDay } from '../../../../core/time.ts';
import {
  ACTIVITY_NUMBERS,
  type ActivityRow,
  NO_BIN,
} from '../../../../projections/activity/activity-projection.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { type GenerationWriters, writeToGenerations } from '../../generations/writes.ts';
import { type Clickhouse, connectClickhouse } from '../clickhouse-client.ts';
import { makeGroupWrites } from '../group-writes.ts';
import { lackingBefore, positionsAfter, readPositions, storePositions } from '../held-positions.ts';
import { bytesOfTable, serveTable } from '../schema.ts';
import { changesOf } from '../usage-appender.ts';
import { MARKED, ROLLED, rollUpActivity, voidRollups } from './activity-rollups.ts';
import { COUNTS, countsOf, type StoredCounts } from './activity-sums.ts';
import { ACTIVITY_SERVING, activityTableOf, makeActivityTable } from './activity-tables.ts';

/** For queries that a caller waits for. */
const TIMEOUT_MS = 10_000;
/** For what runs in the background. */
const LONG_TIMEOUT_MS = 300_000;
/** The delay between the end of a day and its rollup, which later rows void. */
const CLOSES_AFTER_MS = DAY_MS;
const MOST_ROWS = 20_000;
const PACE_MS = 50;

export interface ActivityStore extends ActivityReader {
  /** As `UsageStore.append`: rows may come again, and from two projectors at once. */
  append(rows: readonly ActivityRow[], range?: LogRange): Promise<Written>;
  /** As `UsageStore.rollUpDue`. */
  rollUpDue(): Promise<number>;
  targets: GenerationWriters['targets'];
  engine: GenerationEngine<ActivityRow, readonly ActivityRow[]>;
  close(): Promise<void>;
}

/** Of another day's copy nothing is left to count. */
const voided = (row: ActivityRow): ActivityRow => ({
  ...row,
  ...Object.fromEntries(ACTIVITY_NUMBERS.map(name => [name, 0])),
  latency: NO_BIN,
  confidence: NO_BIN,
});

type Changes = Awaited<ReturnType<typeof changesOf<ActivityRow>>>;

const insertRows = async (
  clickhouse: Clickhouse,
  generation: number,
  { voided, fresh }: Changes,
): Promise<void> => {
  for (const some of [voided, fresh])
    if (some.length > 0)
      await clickhouse.insert(
        activityTableOf(generation),
        some.map(({ eventId, ...row }) => ({ ...row, event_id: eventId })),
      );
};

const sumsOf = (owners: readonly string[] | undefined): string => `
  SELECT day, ${COUNTS} FROM ${ACTIVITY_SERVING}
  WHERE org = {org:String} AND day IN {days:Array(Date)}
    ${owners === undefined ? '' : 'AND owner IN {owners:Array(String)}'}
  GROUP BY day HAVING n_turns + n_facts + n_recalls > 0
  SETTINGS final = 1`;

const hasAny = ({ turns, facts, recalls }: Pick<ActivityRow, 'turns' | 'facts' | 'recalls'>): boolean =>
  turns + facts + recalls > 0;

/** The generations of activity, which are tables. */
const generationsOf = (clickhouse: Clickhouse): ActivityStore['engine'] => ({
  // Each row is looked up before it is inserted, so the copies of an event must arrive in order.
  inFlight: 1,
  make: generation => makeActivityTable(clickhouse, generation),
  requests: rows => (rows.length === 0 ? [] : [rows]),
  send: async (generation, rows) => {
    const changes = await changesOf(clickhouse, activityTableOf(generation), rows, voided);
    await insertRows(clickhouse, generation, changes);
    return 0;
  },
  // A row is visible and has its replicas once it is written.
  finish: async () => {},
  serve: async generation => {
    await serveTable(clickhouse, 'activity', generation);
    await clickhouse.command(voidRollups(activityTableOf(generation)));
  },
  positions: generation => readPositions(clickhouse, activityTableOf(generation)),
  mark: (generation, positions) => storePositions(clickhouse, activityTableOf(generation), positions),
  remove: generation => clickhouse.command(`DROP TABLE IF EXISTS ${activityTableOf(generation)} SYNC`),
  bytes: generation => bytesOfTable(clickhouse, activityTableOf(generation)),
});

export interface ActivityStoreOptions {
  config: ClusterConfig;
  /** The tables to write to. */
  generations: GenerationWriters;
  /** Unix milliseconds. */
  clock: () => number;
}

/**
 * Opens what is counted by day in ClickHouse: a row an event, with rollups of closed days. `migrateActivity`
 * creates its tables. Methods throw `unavailable`.
 */
export const openActivityStore = ({ config, generations, clock }: ActivityStoreOptions): ActivityStore => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  const atLeisure = connectClickhouse(config, { timeoutMs: LONG_TIMEOUT_MS });
  const tables = { projection: 'activity', tableOf: activityTableOf, generations };

  const write = async (items: readonly (ActivityRow | LogRange)[]): Promise<Written> => {
    const targets = await generations.targets();
    if ('kind' in targets) return targets;
    const rows = items.filter(item => 'eventId' in item);
    const positions = positionsAfter(items.filter(item => 'next' in item));
    // Read from the serving generation: one that is being filled may have later rows before earlier ones.
    const changes = await changesOf(clickhouse, ACTIVITY_SERVING, rows, voided);
    await writeToGenerations(generations, targets, async one => {
      await insertRows(clickhouse, one, changes);
      await storePositions(clickhouse, activityTableOf(one), positions);
    });
    // Always: the process that stored a row may have died before it marked its day.
    const days = new Map(
      [...rows, ...changes.voided].map(({ org, day }) => [
        JSON.stringify([org, day]),
        { org, day, marks: 1 },
      ]),
    );
    if (days.size > 0) await clickhouse.insert('activity_marks', [...days.values()]);
    return ALL_WRITTEN;
  };
  const writes = makeGroupWrites<ActivityRow | LogRange, Written>(write, {
    paceMs: PACE_MS,
    most: MOST_ROWS,
  });

  return {
    append: async (rows, range) => {
      const lacking = range && (await lackingBefore(clickhouse, tables, range));
      return lacking ?? (await writes.append(range ? [...rows, range] : rows)) ?? ALL_WRITTEN;
    },
    days: async (org, owners, from, to) => {
      // First what holds: in one query a rollup written meanwhile could make a day missing or counted twice.
      const marked = await clickhouse.rows<{ day: string; holds: number }>(MARKED, { org, from, to });
      const held = new Set(marked.filter(({ holds }) => holds).map(({ day }) => day));
      const open = marked.filter(({ day }) => !held.has(day)).map(({ day }) => day);
      const rolled =
        held.size === 0
          ? []
          : await clickhouse.rows<StoredCounts>(ROLLED, { org, owners: owners ?? [''], from, to });
      const summed =
        open.length === 0
          ? []
          : await clickhouse.rows<StoredCounts>(sumsOf(owners), { org, owners, days: open });
      return [...rolled.filter(({ day }) => held.has(day)), ...summed].map(countsOf).filter(hasAny);
    },
    rollUpDue: () => rollUpActivity(atLeisure, utcDay(clock() - DAY_MS - CLOSES_AFTER_MS)),
    targets: generations.targets,
    engine: generationsOf(atLeisure),
    close: async () => {
      await writes.close();
      await Promise.all([clickhouse.close(), atLeisure.close()]);
    },
  };
};
