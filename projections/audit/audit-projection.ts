import type { AuditNoted } from '../../schemas/events/audit.ts';

/** How long an entry is shown. It is destroyed when two sources of time say that this is over. */
export const AUDIT_KEPT_MS = 400 * 86_400_000;

/** An entry's columns in both engines; all are texts, so that times sort as they are written. */
export interface AuditColumns extends Omit<AuditNoted, 'action' | 'outcome' | 'actor_kind' | 'target_kind'> {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  action: string;
  outcome: string;
  actor_kind: string;
  target_kind: string | null;
  request_id: string;
}

/** Whether each column may be null. The tables, their reads and writes, and a verification follow. */
export const AUDIT_COLUMNS: Record<keyof AuditColumns, { nullable: boolean }> = {
  at: { nullable: false },
  action: { nullable: false },
  outcome: { nullable: false },
  actor_kind: { nullable: false },
  actor_key: { nullable: true },
  actor_user: { nullable: true },
  actor_address: { nullable: true },
  target_kind: { nullable: true },
  target_id: { nullable: true },
  target_user: { nullable: true },
  request_id: { nullable: false },
};
export const AUDIT_COLUMN_NAMES = Object.keys(AUDIT_COLUMNS) as (keyof AuditColumns)[];

/** Unique by organization and `eventId`: the copy at the lowest offset wins. */
export interface AuditRow {
  eventId: string;
  org: string;
  entry: AuditColumns;
  /** The event's position in the log. */
  topic: string;
  partition: number;
  offset: number;
}

/** Returns an entry from a record with its columns, whatever else that has. */
export const auditColumnsOf = (stored: Readonly<Record<string, unknown>>): AuditColumns =>
  Object.fromEntries(
    AUDIT_COLUMN_NAMES.map(name => [name, stored[name] === null ? null : String(stored[name])]),
  ) as unknown as AuditColumns;

/** As the folds of all projections get it; every event of the log has a correlation id. */
interface NotedEvent {
  id: string;
  type: string;
  org_id: string;
  recorded_at: string;
  correlation_id?: string;
  data: unknown;
  topic: string;
  partition: number;
  offset: number;
}

/** Folds `audit` into its entries, one an event. */
export const projectAudit = (event: NotedEvent): AuditRow[] => {
  if (event.type !== 'audit.noted') return [];
  const { topic, partition, offset } = event;
  const noted = event.data as AuditNoted;
  const entry = auditColumnsOf({ ...noted, at: event.recorded_at, request_id: event.correlation_id ?? '' });
  return [{ eventId: event.id, org: event.org_id, entry, topic, partition, offset }];
};
