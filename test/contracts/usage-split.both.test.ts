import { join } from 'node:path';
import { makeYieldWhenDue } from '../../core/fairness/yield-when-due.ts';
import { decodeDocument } from '../../domain/language/vectors/codec.ts';
import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../infra/cluster/clickhouse/usage-tables.ts';
import { createProjectionsDatabase } from '../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../infra/embedded/index/file/projection-store.ts';
import { openProjectionsReader } from '../../infra/embedded/index/file/projections-database.ts';
import { openUsageSplit } from '../../infra/embedded/index/read/usage-split.ts';
import { foldUsage } from '../../projections/usage/usage-projection.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { fold } from './openers/embedded.ts';
import { describeUsageSplit } from './usage-split.contract.ts';

describeInBothModes('usage split', {
  embedded: () => {
    describeUsageSplit('embedded', async () => {
      const path = join(temporaryFolder(), 'projections.db');
      const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
      const reader = openProjectionsReader(path);
      return {
        split: openUsageSplit(reader, makeYieldWhenDue),
        apply: async events => {
          await store.apply({ ...fold(events), positions: {} });
        },
        close: async () => {
          reader.close();
          await store.close();
        },
      };
    });
  },
  cluster: () => {
    describeUsageSplit('cluster', async () => {
      const config = clusterConfig();
      await migrateUsage(config);
      const clock = (): number => Date.parse('2026-06-01');
      const store = openUsageStore({ config, clock, generations: FIRST_ALONE, paceMs: 1 });
      return {
        split: store.split,
        apply: async events => void (await store.append(events.flatMap(foldUsage))),
        close: async () => {
          await store.close();
          await dropNamespace(config);
        },
      };
    });
  },
});
