import type { AuditLog } from '../../../../core/ports/audit/audit-log.ts';
import { AUDIT_COLUMN_NAMES, auditColumnsOf } from '../../../../projections/audit/audit-projection.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Reads the entries in the projections' file that serves. A page walks the organization's own, by time. */
export const openAuditEntries = (reader: ProjectionsReader): AuditLog => {
  const page = reader.prepare(
    `SELECT id, ${AUDIT_COLUMN_NAMES.join(', ')} FROM audit_entries
     WHERE org = ?1 AND at >= ?2 AND (?3 IS NULL OR at < ?3) AND (at, id) < (?4, ?5)
       AND (?6 IS NULL OR action = ?6) AND (?7 IS NULL OR ?7 IN (actor_key, actor_user, actor_kind))
     ORDER BY at DESC, id DESC LIMIT ?8`,
  );
  return {
    page: async (org, { since, until, action, actor, after, limit }) =>
      page
        .all(
          org,
          since,
          until ?? null,
          // No time begins with this character.
          after?.at ?? '~',
          after?.id ?? '',
          action ?? null,
          actor ?? null,
          limit,
        )
        .map(row => ({ id: String(row.id), ...auditColumnsOf(row) })),
  };
};
