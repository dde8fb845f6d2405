import type { GenerationEngine } from '../../../core/ports/projection/generation-engine.ts';
import type { UsageWrite } from '../../../projections/usage/usage-projection.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { Clickhouse } from './clickhouse-client.ts';
import { readPositions, storePositions } from './held-positions.ts';
import { bytesOfTable, serveTable } from './schema.ts';
import { makeApplyNames } from './split/usage-names.ts';
import { fillRows } from './usage-appender.ts';
import { makeUsageTable, usageTableOf } from './usage-tables.ts';

/**
 * Adds a mark to every day of either generation, in every organization. This voids rollups of the other
 * generation's rows, including those in progress.
 */
const voidRollups = (table: string): string => `
  INSERT INTO usage_marks (org, day, marks)
  SELECT org, day, 1 FROM (SELECT org, day FROM usage_marks UNION DISTINCT SELECT org, day FROM ${table})
  WHERE org <> ''`;

/** Returns the engine of usage generations, which are tables. */
export const usageGenerations = (
  clickhouse: Clickhouse,
  config: Pick<ClusterConfig, 'usageRetentionDays'>,
): GenerationEngine<UsageWrite, readonly UsageWrite[]> => {
  // All generations share the names.
  const applyNames = makeApplyNames(clickhouse);
  return {
    // Each row is looked up before it is inserted, so the copies of an event must arrive in order.
    inFlight: 1,
    make: generation => makeUsageTable(clickhouse, config, generation),
    requests: writes => (writes.length === 0 ? [] : [writes]),
    send: async (generation, writes) => {
      await fillRows(clickhouse, generation, await applyNames(writes));
      return 0;
    },
    // A row is visible and has its replicas once it is written.
    finish: async () => {},
    serve: async generation => {
      await serveTable(clickhouse, 'usage', generation);
      await clickhouse.command(voidRollups(usageTableOf(generation)));
    },
    positions: generation => readPositions(clickhouse, usageTableOf(generation)),
    mark: (generation, positions) => storePositions(clickhouse, usageTableOf(generation), positions),
    remove: generation => clickhouse.command(`DROP TABLE IF EXISTS ${usageTableOf(generation)} SYNC`),
    bytes: generation => bytesOfTable(clickhouse, usageTableOf(generation)),
  };
};
