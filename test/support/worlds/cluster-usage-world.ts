/** The usage store on a ClickHouse database of its own, and an organization of each test's own. */
import { createClient } from '@clickhouse/client';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Tokens } from '../../../core/ports.ts';
import { openUsageStore, type UsageStore } from '../../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../../infra/cluster/clickhouse/usage-tables.ts';
import type { UsageRow } from '../../../projections/usage/usage-projection.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { FIRST_ALONE } from '../engines/cluster-generations.ts';
import { openGate } from './gate.ts';

const NOW = Date.parse('2026-03-20T12:00:00Z');
export const MONTH = ['2026-03-01', '2026-03-31'] as const;

/**
 * The n-th event of its partition, which bills n tokens each way: a recall, or with a `topic` of turns a
 * turn.
 */
export const usageRow = (n: number, changes: Partial<UsageRow> & Pick<UsageRow, 'org'>): UsageRow => ({
  eventId: `rcl_${n}`,
  day: '2026-03-10',
  tokensIn: n,
  tokensOut: 10 * n,
  ...{ source: 'nobody', apiKey: '', named: undefined },
  topic: 'usage',
  partition: 0,
  offset: n,
  ...changes,
});

export const tokens = (rows: readonly Tokens[]): Tokens => ({
  tokensIn: rows.reduce((sum, { tokensIn }) => sum + tokensIn, 0),
  tokensOut: rows.reduce((sum, { tokensOut }) => sum + tokensOut, 0),
});

export const billedBy = async (
  store: Pick<UsageStore, 'daily'>,
  ...asked: [string, string, string]
): Promise<Tokens> => tokens([...(await store.daily(...asked)).values()]);

/** For a suite: makes the tables before it, and drops them after it. */
export const makeUsageWorld = (config: ClusterConfig) => {
  const client = createClient({ url: config.clickhouseUrl, database: config.namespace });
  const command = (query: string): Promise<unknown> => client.command({ query });
  const stores: UsageStore[] = [];
  let gate: Awaited<ReturnType<typeof openGate>>;
  let now = NOW;
  let made = 0;
  let org = '';

  const another = (changes: Partial<ClusterConfig> = {}): UsageStore => {
    const opened = openUsageStore({
      config: { ...config, ...changes },
      clock: () => now,
      generations: FIRST_ALONE,
      paceMs: 1,
    });
    stores.push(opened);
    return opened;
  };
  const numberOf = async (query: string): Promise<number> => {
    const result = await client.query({ query, query_params: { org }, format: 'JSONEachRow' });
    return Number(Object.values((await result.json<Record<string, number>>())[0]!)[0]);
  };
  const row = (n: number, changes: Partial<UsageRow> = {}): UsageRow => usageRow(n, { org, ...changes });

  beforeAll(async () => {
    await migrateUsage(config);
    // Exactness rests on no merge.
    for (const table of ['usage_rows', 'usage_marks', 'usage_days'])
      await command(`SYSTEM STOP MERGES ${table}`);
    gate = await openGate(config.clickhouseUrl);
  });
  beforeEach(() => {
    now = NOW;
    made += 1;
    org = `org-${made}`;
    gate.judge(() => 'pass');
  });
  afterEach(async () => {
    for (const opened of stores.splice(0)) await opened.close();
  });
  afterAll(async () => {
    await gate.close();
    await command(`DROP DATABASE IF EXISTS \`${config.namespace}\``);
    await client.close();
  });

  return {
    /**
     * Returns what each test begins with; `gate` lies between ClickHouse and what is opened over its address.
     */
    begin: () => ({ org, gate, store: another() }),
    another,
    /** Lets time pass, in milliseconds. */
    pass: (ms: number): void => {
      now += ms;
    },
    /** An event of the test's organization. */
    row,
    turn: (n: number, changes: Partial<UsageRow> = {}): UsageRow =>
      row(n, { eventId: `trn_${n}`, topic: 'turns', tokensOut: 0, ...changes }),
    command,
    /** The query's one number, with the test's organization as `org`. */
    numberOf,
    /** Makes the organization's rollups tell from sums of rows: a thousand more of each. */
    tamper: (): Promise<unknown> =>
      command(`INSERT INTO usage_days (org, day, tokens_in, tokens_out, marks)
      SELECT org, day, tokens_in + 1000, tokens_out, marks FROM usage_days FINAL WHERE org = '${org}'`),
    rawRows: (): Promise<number> => numberOf('SELECT count() FROM usage_rows WHERE org = {org:String}'),
  };
};
