import type { AuditLog } from '../../../core/ports/audit/audit-log.ts';
import { mayRead } from '../../../core/scope.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { AUDIT_KEPT_MS } from '../../../projections/audit/audit-projection.ts';
import { AUDIT_LISTED, type AuditEntry, auditCursor } from '../../../schemas/http/audit.ts';
import { parseInstant } from '../../../schemas/http/queries/instant.ts';
import { RIGHTS, type Right } from '../../../schemas/http/rights.ts';
import { paged } from '../lists/page.ts';

/** Acts of these actions say whether there is such a thing (rights.ts, `untold`). */
const TELLING: ReadonlySet<string> = new Set(
  Object.values<Right>(RIGHTS).flatMap(({ action, untold }) => (untold ? [action] : [])),
);

const iso = (time: number): string => new Date(time).toISOString();

/**
 * Lists the organization's entries, newest first, without those whose time is over by the reader's clock. A
 * reader without memory:read gets none that tell what is stored, and so pages with fewer.
 */
export const makeReadAudit =
  ({ audit, clock }: { audit: AuditLog; clock: () => number }): UseCases['audit'] =>
  async (principal, { since, until, action, actor, limit = AUDIT_LISTED, cursor }) => {
    const kept = clock() - AUDIT_KEPT_MS;
    const found = await audit.page(principal.orgId, {
      since: iso(Math.max(kept, since === undefined ? kept : parseInstant(since)!)),
      until: until === undefined ? undefined : iso(parseInstant(until)!),
      action,
      actor,
      after: cursor === undefined ? undefined : auditCursor.decode(cursor)?.key,
      // One more says whether there is another page.
      limit: limit + 1,
    });
    const { page, next_cursor } = paged(auditCursor, found, limit, ({ at, id }) => ({ at, id }));
    const told = mayRead(principal) ? page : page.filter(one => !TELLING.has(one.action));
    return { entries: told.map(entryOf), next_cursor };
  };

const entryOf = (stored: Awaited<ReturnType<AuditLog['page']>>[number]): AuditEntry => ({
  id: stored.id,
  at: stored.at,
  actor: {
    kind: stored.actor_kind as AuditEntry['actor']['kind'],
    key_id: stored.actor_key,
    user_id: stored.actor_user,
    address: stored.actor_address,
  },
  action: stored.action as AuditEntry['action'],
  target:
    stored.target_kind === null
      ? null
      : {
          kind: stored.target_kind as NonNullable<AuditEntry['target']>['kind'],
          id: stored.target_id,
          user_id: stored.target_user,
        },
  outcome: stored.outcome as AuditEntry['outcome'],
  request_id: stored.request_id,
});
