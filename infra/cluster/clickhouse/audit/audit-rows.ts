import type { Positions } from '../../../../core/ports.ts';
import { AUDIT_COLUMN_NAMES, auditColumnsOf } from '../../../../projections/audit/audit-projection.ts';
import { auditRow } from '../../../../projections/audit/verified-audit.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { inSample, type Sample } from '../../../../projections/verify/sample.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { RowsOf, StoredPicture, StoredRows } from '../../verifiable-rows.ts';
import { type Clickhouse, connectClickhouse } from '../clickhouse-client.ts';
import { BELOW } from '../schema.ts';
import { auditTableOf } from './audit-tables.ts';

const PAGE = 20_000;
const TIMEOUT_MS = 600_000;

const pageOf = (table: string): string => `
  SELECT org, day, event_id, ${AUDIT_COLUMN_NAMES.join(', ')}, topic, partition, offset
  FROM ${table} FINAL
  WHERE org <> '' AND offset < ${BELOW} AND (org, day, event_id) > ({org:String}, {day:Date}, {event:String})
  ORDER BY org, day, event_id LIMIT ${PAGE}`;

type Stored = Record<'org' | 'day' | 'event_id' | 'topic', string> &
  Record<'partition' | 'offset', number | string>;

/** Needs no snapshot: rows below positions never change. */
const auditPicture = (
  clickhouse: Clickhouse,
  { generation }: RowsOf,
  positions: Positions,
): StoredPicture => ({
  rows: async function* (sample: Sample): AsyncGenerator<Row> {
    const below = new Map(Object.entries(positions));
    for (let last = { org: '', day: '1970-01-01', event: '' }; ; ) {
      const page = await clickhouse.rows<Stored>(pageOf(auditTableOf(generation)), { ...last, below });
      for (const row of page) {
        const { org, event_id: eventId, topic, partition, offset } = row;
        const address = { topic, partition: Number(partition), offset: Number(offset) };
        if (inSample(sample, eventId)) yield auditRow({ eventId, org, entry: auditColumnsOf(row) }, address);
      }
      const end = page.at(-1);
      if (!end || page.length < PAGE) return;
      last = { org: end.org, day: end.day, event: end.event_id };
    }
  },
  derived: async () => [],
  close: async () => {},
});

/** Reads the entries of a generation, over its own connection. */
export const connectAuditRows = (config: ClusterConfig, of: RowsOf): StoredRows => {
  const clickhouse = connectClickhouse(config, { timeoutMs: TIMEOUT_MS });
  return { open: async positions => auditPicture(clickhouse, of, positions), close: clickhouse.close };
};
