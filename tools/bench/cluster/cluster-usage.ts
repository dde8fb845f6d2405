/** Measures the API's answer for a month's usage of an organization with ten million rows. */
import { connectClickhouse } from '../../../infra/cluster/clickhouse/clickhouse-client.ts';
import { openUsageStore } from '../../../infra/cluster/clickhouse/usage-store.ts';
import { FIRST_ALONE } from '../../../test/support/engines/cluster-generations.ts';
import { pause } from '../load/load.ts';
import { type Connection, openConnection, request } from '../load/load-connection.ts';
import { type Installation, tokenOf } from './installation.ts';

const DAY_MS = 86_400_000;
const ROWS = 10_000_000;
const ORG = 'acme';
const READS = 20;
const MERGE_SECONDS = 120;
const TIMEOUT_MS = 120_000;

export interface ClusterUsage {
  rows: number;
  /** Milliseconds of each read that sums distinct rows. */
  unrolled: number[];
  /** The same while the store still merges new rows. */
  unmerged: number[];
  /** The same after the days were rolled up. */
  rolled: number[];
  rollUpSeconds: number;
  /** Milliseconds of bare sums over the same rows, which count a second copy twice. */
  floor: number[];
}

/**
 * Ids like those of turns: the minute of their own time, then 12 bytes of a hash
 * (domain/identity/identity.ts).
 */
const INSERT = `
  INSERT INTO usage_rows (org, day, event_id, tokens_in, tokens_out, topic, partition, offset)
  SELECT {org:String}, {day:Date},
    concat('trn_', lower(leftPad(hex(toUInt32({minute:UInt32} + number % 1440)), 8, '0')),
      lower(substring(hex(MD5(toString(cityHash64({day:String}, number)))), 1, 24))),
    20 + number % 10, 0, 'turns', number % 4, {first:UInt64} + number
  FROM numbers({rows:UInt64})`;

const MARK = 'INSERT INTO usage_marks (org, day, marks) SELECT {org:String}, {day:Date}, 1';

const BARE = `
  SELECT sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out FROM usage_rows
  WHERE org = {org:String} AND day BETWEEN {from:Date} AND {to:Date}`;

const MERGES = 'SELECT count() AS running FROM system.merges WHERE database = currentDatabase()';

/** Returns the days of the month before last, all closed for longer than a roll-up waits for a day. */
const closedMonth = (now: number): string[] => {
  const date = new Date(now);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 2, 1);
  const end = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1, 1);
  return Array.from({ length: (end - first) / DAY_MS }, (_, i) =>
    new Date(first + i * DAY_MS).toISOString().slice(0, 10),
  );
};

type Sums = { tokens_in: number; tokens_out: number };

export const measureClusterUsage = async ({
  cluster,
  config,
  say,
  profile,
}: Installation): Promise<ClusterUsage> => {
  const days = closedMonth(Date.now());
  const [from, to] = [days[0]!, days.at(-1)!];
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  const store = openUsageStore({ config, clock: Date.now, generations: FIRST_ALONE });
  const api = await cluster.start('api', { profile });
  const token = await tokenOf(api.url, cluster.apiKey);
  let billed: Sums | undefined;

  const read = async (connection: Connection): Promise<number> => {
    const started = performance.now();
    const answer = await connection.send(request('GET', `/usage/summary?month=${from.slice(0, 7)}`, token));
    const ms = performance.now() - started;
    const { tokens_in, tokens_out } = JSON.parse(answer.body.toString()) as Sums;
    billed ??= { tokens_in, tokens_out };
    if (answer.status !== 200 || tokens_in !== billed.tokens_in || tokens_in === 0)
      throw new Error(
        `usage was answered with ${answer.status}, ${tokens_in} instead of ${billed.tokens_in}`,
      );
    return ms;
  };
  const series = async (work: () => Promise<number>): Promise<number[]> => {
    const times: number[] = [];
    for (let i = 0; i < READS; i++) times.push(await work());
    return times;
  };
  /** Uses its own connection: the server closes one that is idle for long. */
  const reads = async (): Promise<number[]> => {
    const connection = await openConnection(api.url);
    try {
      return await series(() => read(connection));
    } finally {
      connection.close();
    }
  };
  const bare = async (): Promise<number> => {
    const started = performance.now();
    await clickhouse.rows(BARE, { org: ORG, from, to });
    return performance.now() - started;
  };
  const merged = async (): Promise<void> => {
    const limit = performance.now() + MERGE_SECONDS * 1_000;
    while (performance.now() < limit) {
      const [{ running } = { running: 0 }] = await clickhouse.rows<{ running: number }>(MERGES);
      if (Number(running) === 0) return;
      await pause(500);
    }
  };

  try {
    say(`writing ${ROWS} rows of usage`);
    const aDay = Math.ceil(ROWS / days.length);
    for (const [i, day] of days.entries()) {
      // Inserts a day at a time: the engine of the tests answers one request after the other, and others
      // wait.
      const rows = Math.min(aDay, ROWS - i * aDay);
      const minute = Date.parse(day) / 60_000;
      await clickhouse.rows(INSERT, { org: ORG, day, minute, rows, first: i * aDay });
      await clickhouse.rows(MARK, { org: ORG, day });
    }
    say('reading usage by month');
    const unmerged = await reads();
    await merged();
    const unrolled = await reads();
    const floor = await series(bare);
    const started = performance.now();
    await store.rollUpDue();
    const rollUpSeconds = (performance.now() - started) / 1_000;
    return { rows: ROWS, unmerged, unrolled, rolled: await reads(), rollUpSeconds, floor };
  } finally {
    await api.stop();
    await Promise.all([clickhouse.close(), store.close()]);
  }
};
