import { createClient } from '@clickhouse/client';
import { afterAll, expect, it } from 'vitest';
import { openAuditStore } from '../../infra/cluster/clickhouse/audit/audit-store.ts';
import { migrateAudit } from '../../infra/cluster/clickhouse/audit/audit-tables.ts';
import { projectAudit } from '../../projections/audit/audit-projection.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { auditNoted, EVERY_ENTRY } from '../support/worlds/builders.ts';

const DAY = 86_400_000;

describeOnEngines('audit store: ClickHouse', () => {
  const config = clusterConfig();
  const client = createClient({ url: config.clickhouseUrl });
  const targets = async () => ({ required: [1], optional: [], beside: [], marked: [1] });
  const store = openAuditStore(config, { ...FIRST_ALONE, targets });
  afterAll(async () => {
    await store.close();
    await client.command({ query: `DROP DATABASE IF EXISTS \`${config.namespace}\`` });
    await client.close();
  });
  const entry = (n: number, at: string) => ({ ...auditNoted(3 * n), recorded_at: at });
  const idsOf = async (org: string): Promise<string[]> =>
    (await store.page(org, EVERY_ENTRY)).map(({ at }) => at.slice(0, 10));

  it('removes entries that are older than 400 days, by whole days, and nothing by its own clock', async () => {
    await migrateAudit(config);
    const days = ['2020-01-01', '2026-03-09', '2026-03-10', '2026-03-11'];
    const events = days.map((day, n) => entry(n, `${day}T12:00:00.000Z`));
    await store.append(events.flatMap(projectAudit), { topic: 'audit', partition: 0, from: 0, next: 10 });
    // Entries of long ago stay until two sources say that their time is over: the engine's clock is none.
    await client.command({ query: `OPTIMIZE TABLE \`${config.namespace}\`.audit_rows FINAL` });
    expect(await idsOf('acme')).toEqual(days.toReversed());
    const noon = Date.parse('2026-03-10T12:00:00.000Z') + 400 * DAY;
    expect(await store.sweep(noon)).toBe(false);
    expect(await idsOf('acme')).toEqual(['2026-03-11', '2026-03-10']);
    // Again, and by another process: nothing more.
    await store.sweep(noon);
    expect(await idsOf('acme')).toEqual(['2026-03-11', '2026-03-10']);
    await store.sweep(noon + 2 * DAY);
    expect(await idsOf('acme')).toEqual([]);
    // Positions stay: a projector doesn't begin anew.
    expect(await store.engine.positions(1, ['audit/0'])).toEqual({ 'audit/0': 10 });
  });
});
