import type { AuditColumns } from '../../../projections/audit/audit-projection.ts';

/** An entry's place in a list: newest first, and by id within a millisecond. */
export interface AuditPlace {
  /** RFC 3339, UTC, milliseconds. */
  at: string;
  id: string;
}

export interface AuditAsked {
  /** Instants, RFC 3339, UTC, milliseconds: entries from the one on and before the other. */
  since: string;
  until: string | undefined;
  action: string | undefined;
  /** The id of a key, the id of a user, or a kind of actor. */
  actor: string | undefined;
  /** Entries after this place. */
  after: AuditPlace | undefined;
  limit: number;
}

/** The entries of the audit log, as far as they are projected. */
export interface AuditLog {
  /** Return at most `limit` entries of the organization, newest first. Throw `unavailable`. */
  page(org: string, asked: AuditAsked): Promise<(AuditColumns & { id: string })[]>;
}
