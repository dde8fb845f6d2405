import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../infra/cluster/clickhouse/usage-tables.ts';
import { projectUsage } from '../../projections/usage/projection.ts';
import { FIRST_ALONE } from '../support/cluster-generations.ts';
import { dropNamespace } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { describeStatement } from './statement.contract.ts';

describeOnEngines('on ClickHouse', () => {
  describeStatement('cluster', async () => {
    const config = clusterConfig();
    await migrateUsage(config);
    const clock = (): number => Date.parse('2026-06-01');
    const store = openUsageStore({ config, clock, generations: FIRST_ALONE, paceMs: 1 });
    return {
      ledger: store,
      apply: async events => void (await store.append(events.flatMap(projectUsage))),
      close: async () => {
        await store.close();
        await dropNamespace(config);
      },
    };
  });
});
