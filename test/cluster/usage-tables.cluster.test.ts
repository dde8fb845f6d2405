import { createClient } from '@clickhouse/client';
import { afterAll, expect, it } from 'vitest';
import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../infra/cluster/clickhouse/usage-tables.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { usageRow } from '../support/worlds/cluster-usage-world.ts';

describeOnEngines('usage tables', () => {
  const config = clusterConfig();
  const client = createClient({ url: config.clickhouseUrl });
  const expiries = async (): Promise<string[]> => {
    const query = `SELECT engine_full FROM system.tables
      WHERE database = {name:String} AND engine <> 'View' AND name <> 'usage_names' ORDER BY name`;
    const result = await client.query({ query, query_params: { name: config.namespace } });
    const { data } = await result.json<{ engine_full: string }>();
    return data.map(({ engine_full }) => /TTL (.*?) SETTINGS/.exec(engine_full)?.[1] ?? '');
  };
  afterAll(async () => {
    await client.command({ query: `DROP DATABASE IF EXISTS \`${config.namespace}\`` });
    await client.close();
  });

  it('are made once, and keep rows as long as they are told to', async () => {
    const [database, ...tables] = [`database ${config.namespace}`, 'usage_rows', 'usage_marks', 'usage_days'];
    expect(await migrateUsage(config)).toEqual([
      database,
      ...tables.map(name => `table ${name}`),
      // Names go with an erasure alone.
      'table usage_names',
      'view usage_serving',
    ]);
    expect(await migrateUsage(config)).toEqual([]);
    expect(await expiries()).toEqual(['', '', '']);

    const limited = { ...config, usageRetentionDays: 90 };
    expect(await migrateUsage(limited)).toEqual(tables.map(name => `retention of ${name}: 90 days`));
    expect(await migrateUsage(limited)).toEqual([]);
    expect(await expiries()).toEqual(Array(3).fill('day + toIntervalDay(92)'));

    const store = openUsageStore({
      config: limited,
      clock: Date.now,
      generations: FIRST_ALONE,
      paceMs: 1,
    });
    const today = new Date().toISOString().slice(0, 10);
    await store.append([
      usageRow(1, { org: 'acme', day: '2020-01-01' }),
      usageRow(2, { org: 'acme', day: today }),
    ]);
    await store.close();
    await client.command({ query: `OPTIMIZE TABLE \`${config.namespace}\`.usage_rows FINAL` });
    const left = await client.query({ query: `SELECT event_id FROM \`${config.namespace}\`.usage_rows` });
    expect((await left.json<{ event_id: string }>()).data).toEqual([{ event_id: 'rcl_2' }]);

    expect(await migrateUsage({ ...config, usageRetentionDays: 30 })).toHaveLength(3);
    expect(await migrateUsage(config)).toEqual(tables.map(name => `retention of ${name}: unlimited`));
    expect(await expiries()).toEqual(['', '', '']);
    await Promise.all([migrateUsage(limited), migrateUsage(limited)]);
    expect(await migrateUsage(limited)).toEqual([]);
  });

  it('are made with their retention, by two processes at once', async () => {
    const one = clusterConfig({ usageRetentionDays: 10 });
    await Promise.all([migrateUsage(one), migrateUsage(one)]);
    expect(await migrateUsage(one)).toEqual([]);
    await client.command({ query: `DROP DATABASE \`${one.namespace}\`` });
  });
});
