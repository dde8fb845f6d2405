import type { DatabaseSync } from 'node:sqlite';
import {
  AUDIT_COLUMN_NAMES,
  AUDIT_COLUMNS,
  AUDIT_KEPT_MS,
  type AuditRow,
  auditColumnsOf,
} from '../../../../projections/audit/audit-projection.ts';
import { auditRow } from '../../../../projections/audit/verified-audit.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import type { StoredProjection, Writer } from './stored.ts';

/** Entries that one step of a sweep removes. */
const SWEPT_AT_ONCE = 500;

const columns = AUDIT_COLUMN_NAMES.map(
  name => `${name} TEXT${AUDIT_COLUMNS[name].nullable ? '' : ' NOT NULL'}`,
);

const TABLES = `
  CREATE TABLE IF NOT EXISTS audit_entries (id TEXT PRIMARY KEY, org TEXT NOT NULL, ${columns.join(', ')},
    partition INTEGER NOT NULL, offset INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS audit_entries_by_org ON audit_entries (org, at, id);
  CREATE INDEX IF NOT EXISTS audit_entries_by_time ON audit_entries (at);
  -- One for each filter (audit-entries.ts): few of many entries may pass it.
  CREATE INDEX IF NOT EXISTS audit_entries_by_action ON audit_entries (org, action, at, id);
  CREATE INDEX IF NOT EXISTS audit_entries_by_key ON audit_entries (org, actor_key, at, id);
  CREATE INDEX IF NOT EXISTS audit_entries_by_user ON audit_entries (org, actor_user, at, id);
  CREATE INDEX IF NOT EXISTS audit_entries_by_kind ON audit_entries (org, actor_kind, at, id);
`;

const ALL = ['id', 'org', ...AUDIT_COLUMN_NAMES, 'partition', 'offset'];
const replaced = [...AUDIT_COLUMN_NAMES, 'offset'].map(name => `${name} = excluded.${name}`);

const openAuditWriter = (database: DatabaseSync): Writer<AuditRow> => {
  // The first copy in the log wins, also where it comes late: a dead letter that was requeued.
  const put = database.prepare(
    `INSERT INTO audit_entries (${ALL.join(', ')}) VALUES (${ALL.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${replaced.join(', ')}
     WHERE excluded.org = org AND excluded.offset < offset`,
  );
  const remove = database.prepare(
    `DELETE FROM audit_entries WHERE id IN
       (SELECT id FROM audit_entries WHERE at <= ? LIMIT ${SWEPT_AT_ONCE})`,
  );
  return {
    write: rows => {
      for (const { eventId, org, entry, partition, offset } of rows)
        put.run(eventId, org, ...AUDIT_COLUMN_NAMES.map(name => entry[name]), partition, offset);
    },
    sweep: now => Number(remove.run(new Date(now - AUDIT_KEPT_MS).toISOString()).changes),
  };
};

function* auditRows(reader: DatabaseSync): Generator<Row> {
  const stored = reader.prepare(`SELECT ${ALL.join(', ')} FROM audit_entries WHERE in_sample_by_name(id)`);
  for (const row of stored.iterate())
    yield auditRow(
      { eventId: String(row.id), org: String(row.org), entry: auditColumnsOf(row) },
      { topic: 'audit', partition: Number(row.partition), offset: Number(row.offset) },
    );
}

export const AUDIT: StoredProjection<AuditRow> = {
  tables: TABLES,
  openWriter: openAuditWriter,
  rows: auditRows,
};
