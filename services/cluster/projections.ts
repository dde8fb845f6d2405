/**
 * The projections in the shared engines. To add one, add its migration to `PROJECTION_MIGRATIONS` and its
 * store to `openProjections`.
 */

import type { Closers } from '../../core/timing/closers.ts';
import { decodeDocument } from '../../domain/language/vectors/codec.ts';
import { connectActivityRows } from '../../infra/cluster/clickhouse/activity/activity-rows.ts';
import { openActivityStore } from '../../infra/cluster/clickhouse/activity/activity-store.ts';
import { migrateActivity } from '../../infra/cluster/clickhouse/activity/activity-tables.ts';
import { connectAuditRows } from '../../infra/cluster/clickhouse/audit/audit-rows.ts';
import { openAuditStore } from '../../infra/cluster/clickhouse/audit/audit-store.ts';
import { migrateAudit } from '../../infra/cluster/clickhouse/audit/audit-tables.ts';
import { servedGeneration } from '../../infra/cluster/clickhouse/schema.ts';
import { usageGenerations } from '../../infra/cluster/clickhouse/usage-generations.ts';
import { connectUsageRows } from '../../infra/cluster/clickhouse/usage-rows.ts';
import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { migrateUsage } from '../../infra/cluster/clickhouse/usage-tables.ts';
import { migrateAccountIndex } from '../../infra/cluster/elasticsearch/accounts/account-index.ts';
import { migrateIndex } from '../../infra/cluster/elasticsearch/index/index.ts';
import { registerServed } from '../../infra/cluster/elasticsearch/index/registry.ts';
import { openElasticsearchIndex } from '../../infra/cluster/elasticsearch/recall-index.ts';
import { connectRecallRows } from '../../infra/cluster/elasticsearch/verify/verifiable-documents.ts';
import { type GenerationWriters, makeGenerationWriters } from '../../infra/cluster/generations/writes.ts';
import type { GenerationalStores } from '../../infra/cluster/projection-store.ts';
import { type Generational, PROJECTIONS } from '../../projections/all.ts';
import type { ClusterConfig } from '../../schemas/config.ts';

type Migrate = (config: ClusterConfig) => Promise<string[]>;

/** The migrations of a projection in ClickHouse: its tables, then their entry in the registry. */
const inClickhouse = (projection: Generational, migrate: Migrate): Migrate[] => [
  migrate,
  config => registerServed(config, projection, of => servedGeneration(of, projection)),
];

/** Each creates what is missing, in this order, and resolves with a line about each thing that it created. */
export const PROJECTION_MIGRATIONS: readonly Migrate[] = [
  migrateIndex,
  migrateAccountIndex,
  ...inClickhouse('usage', migrateUsage),
  ...inClickhouse('audit', migrateAudit),
  ...inClickhouse('activity', migrateActivity),
];

export interface ProjectionPorts {
  /** Unix milliseconds. */
  clock: () => number;
  onDropped: (projection: string, generation: number, reason: string) => void;
}

/** Opens the store of each projection that has generations. */
export const openProjections = (
  config: ClusterConfig,
  { clock, onDropped }: ProjectionPorts,
  closers: Closers,
) => {
  const recall = openElasticsearchIndex({
    config,
    clock,
    decodeDocument,
    onDropped,
  });
  closers.add(recall.close);
  const { registry } = recall;
  const generationsOf = (projection: Generational): GenerationWriters => {
    const { version } = PROJECTIONS[projection];
    return makeGenerationWriters({ registry, projection, version, onDropped });
  };
  const usage = openUsageStore({ config, clock, generations: generationsOf('usage') });
  closers.add(usage.close);
  const audit = openAuditStore(config, generationsOf('audit'));
  closers.add(audit.close);
  const activity = openActivityStore({ config, clock, generations: generationsOf('activity') });
  closers.add(activity.close);

  const generational: GenerationalStores = {
    recall: {
      ...recall.store,
      engine: recall.engine,
      connectRows: of => connectRecallRows(config, decodeDocument, of),
    },
    usage: {
      apply: usage.append,
      targets: usage.targets,
      engine: usageGenerations(usage.atLeisure, config),
      connectRows: of => connectUsageRows(config, of),
    },
    audit: {
      apply: audit.append,
      targets: audit.targets,
      engine: audit.engine,
      connectRows: of => connectAuditRows(config, of),
    },
    activity: {
      apply: activity.append,
      targets: activity.targets,
      engine: activity.engine,
      connectRows: of => connectActivityRows(config, of),
    },
  };
  return { recall, usage, audit, activity, registry, generational };
};
