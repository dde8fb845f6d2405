import type { AuditAsked, AuditLog } from '../../../../core/ports/audit/audit-log.ts';
import {
  AUDIT_COLUMN_NAMES,
  type AuditColumns,
  auditColumnsOf,
} from '../../../../projections/audit/audit-projection.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Entries that are read before yielding. */
const AT_ONCE = 500;

/** The columns of which any may be the actor that is asked for. */
const ACTORS = ['actor_key', 'actor_user', 'actor_kind'] as const;

type Found = AuditColumns & { id: string };

/** Entries by one column's index, or all of the organization: newest first. */
interface Walk {
  column: 'action' | (typeof ACTORS)[number] | undefined;
  value: string | undefined;
  /** Set where the index does not say it: the action of an actor's entries. */
  action: string | undefined;
}

const walksFor = ({ action, actor }: Pick<AuditAsked, 'action' | 'actor'>): Walk[] => {
  if (actor !== undefined) return ACTORS.map(column => ({ column, value: actor, action }));
  return [{ column: action === undefined ? undefined : 'action', value: action, action: undefined }];
};

const isNewer = (one: Found, other: Found): boolean =>
  one.at === other.at ? one.id > other.id : one.at > other.at;

/**
 * Reads the entries in the projections' file that serves: along the index of the filter, in steps, so that
 * nobody waits for a filter that few entries pass.
 */
export const openAuditEntries = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): AuditLog => {
  // Without the likelihood SQLite takes the index of the organization's times, and looks at all entries.
  const prepare = (column: Walk['column']) =>
    reader.prepare(
      `SELECT id, ${AUDIT_COLUMN_NAMES.join(', ')} FROM audit_entries
       WHERE org = ?1 AND ${column === undefined ? '?7 IS NULL' : `likelihood(${column} = ?7, 0.001)`}
         AND at >= ?2 AND (?3 IS NULL OR at < ?3) AND (at, id) < (?4, ?5)
       ORDER BY at DESC, id DESC LIMIT ?6`,
    );
  const statements = new Map(
    ([undefined, 'action', ...ACTORS] as const).map(column => [column, prepare(column)]),
  );

  const walk = async (
    org: string,
    { since, until, after, limit }: AuditAsked,
    { column, value, action }: Walk,
  ): Promise<Found[]> => {
    const found: Found[] = [];
    const yieldWhenDue = makeYieldWhenDue();
    const step = action === undefined ? Math.min(AT_ONCE, limit) : AT_ONCE;
    for (let from = after; ; ) {
      // No time begins with this character.
      const behind = [from?.at ?? '~', from?.id ?? ''];
      const rows = statements.get(column)!.all(org, since, until ?? null, ...behind, step, value ?? null);
      for (const row of rows)
        if (action === undefined || row.action === action)
          found.push({ id: String(row.id), ...auditColumnsOf(row) });
      const last = rows.at(-1);
      if (!last || rows.length < step || found.length >= limit) return found.slice(0, limit);
      from = { at: String(last.at), id: String(last.id) };
      await yieldWhenDue();
    }
  };

  return {
    page: async (org, asked) => {
      const found = new Map<string, Found>();
      for (const one of walksFor(asked))
        for (const entry of await walk(org, asked, one)) found.set(entry.id, entry);
      return [...found.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, asked.limit);
    },
  };
};
