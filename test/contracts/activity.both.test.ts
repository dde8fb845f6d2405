import { join } from 'node:path';
import type { Event } from '../../core/log/events.ts';
import { decodeDocument } from '../../domain/language/vectors/codec.ts';
import { openActivityStore } from '../../infra/cluster/clickhouse/activity/activity-store.ts';
import { migrateActivity } from '../../infra/cluster/clickhouse/activity/activity-tables.ts';
import { createProjectionsDatabase } from '../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../infra/embedded/index/file/projection-store.ts';
import { openActivityDays } from '../../infra/embedded/index/read/activity-days.ts';
import { openAnswersReader } from '../../infra/embedded/index/read/search/answers-reader.ts';
import { projectActivity } from '../../projections/activity/activity-projection.ts';
import { noWrites } from '../../projections/all.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { FIRST_ALONE } from '../support/engines/cluster-generations.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { describeActivity, type OpenActivity } from './activity.contract.ts';

const rowsOf = (events: readonly Event[]) => events.flatMap(projectActivity);

const openEmbedded = async (): Promise<OpenActivity> => {
  const path = join(temporaryFolder(), 'projections.db');
  const store = openProjectionStore(createProjectionsDatabase(path), decodeDocument);
  const reader = openAnswersReader(path, Date.now);
  return {
    ...openActivityDays(reader),
    apply: async events => {
      await store.apply({ ...noWrites(), activity: rowsOf(events), logged: [], positions: {} });
    },
    close: async () => {
      reader.close();
      await store.close();
    },
  };
};

const openCluster = async (): Promise<OpenActivity> => {
  const config = clusterConfig();
  await migrateActivity(config);
  const store = openActivityStore({ config, clock: Date.now, generations: FIRST_ALONE });
  return {
    days: store.days,
    apply: async events => {
      await store.append(rowsOf(events));
    },
    close: async () => {
      await store.close();
      await dropNamespace(config);
    },
  };
};

describeInBothModes('activity', {
  embedded: () => describeActivity('embedded', openEmbedded),
  cluster: () => describeActivity('cluster', openCluster),
});
