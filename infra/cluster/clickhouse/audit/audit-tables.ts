import { AUDIT_COLUMN_NAMES, AUDIT_COLUMNS } from '../../../../projections/audit/audit-projection.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { Clickhouse } from '../clickhouse-client.ts';
import { makeTable, migrateTables, servingOf, type Table, tableOf } from '../schema.ts';

export const AUDIT_SERVING = servingOf('audit');
export const auditTableOf = (generation: number): string => tableOf('audit', generation);

const columns = AUDIT_COLUMN_NAMES.map(
  name => `${name} ${AUDIT_COLUMNS[name].nullable ? 'Nullable(String)' : 'String'}`,
);

/**
 * The entries, deduplicated at the query (FINAL), and eventually by merges: the copy at the lowest offset
 * takes precedence, and all copies of an entry have its day. Without a TTL: the engine's clock alone must not
 * destroy anything.
 */
const rowsTable = (name: string): Table => ({
  name,
  columns: `
      org String,
      day Date,
      event_id String,
      ${columns.join(',\n      ')},
      topic LowCardinality(String),
      partition UInt32,
      offset UInt64,
      inserted_at DateTime DEFAULT now(),
      precedence UInt64 MATERIALIZED bitNot(offset)`,
  engine: 'ReplacingMergeTree(precedence) PARTITION BY toYYYYMM(day) ORDER BY (org, day, event_id)',
});

/** Creates the empty table of a generation if it is missing. */
export const makeAuditTable = async (clickhouse: Clickhouse, generation: number): Promise<void> => {
  await makeTable(clickhouse, rowsTable(auditTableOf(generation)));
};

/** Creates the tables of the audit log if they are missing. */
export const migrateAudit = (config: ClusterConfig): Promise<string[]> =>
  migrateTables(config, 'audit', rowsTable);
