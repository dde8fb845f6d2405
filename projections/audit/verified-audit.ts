import type { LogRows, VerifiedRows } from '../verify/log-rows.ts';
import { digestOf, type Row, type RowAddress } from '../verify/row.ts';
import { AUDIT_COLUMN_NAMES, AUDIT_KEPT_MS, type AuditRow } from './audit-projection.ts';

/** The row of an entry, which a store may delete at its end. */
export const auditRow = (
  { eventId, org, entry }: Omit<AuditRow, keyof RowAddress>,
  address: RowAddress | undefined,
): Row => ({
  projection: 'audit',
  kind: 'entry',
  org,
  id: eventId,
  unit: eventId,
  hash: digestOf(['entry', org, eventId, ...AUDIT_COLUMN_NAMES.map(name => entry[name])]),
  address,
  end: Date.parse(entry.at) + AUDIT_KEPT_MS,
});

export const AUDIT_ROWS: VerifiedRows<AuditRow> = {
  hasSampled: true,
  hasWhole: false,
  fromLog: (): LogRows<AuditRow> => ({
    take: (row, { topic, partition, offset }) => [auditRow(row, { topic, partition, offset })],
  }),
};
