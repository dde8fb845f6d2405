import { readAudit } from './operations.ts';
import type { CallOptions } from './options.ts';
import { listOf } from './transport/answer.ts';
import type { Caller } from './transport/caller.ts';
import type { WholeQuery } from './transport/query.ts';
import { maybeInstant, optionsOf } from './transport/requests.ts';
import type { AuditEntry } from './types.ts';

export interface AuditOptions extends CallOptions {
  /** Entries from this instant on, and before the other. */
  since?: Date | string | undefined;
  until?: Date | string | undefined;
  /** Such as `keys.create`. */
  action?: string | undefined;
  /** The id of a key or of a user, or a kind: `key`, `operator`, `sign_up`. */
  actor?: string | undefined;
  /** Entries per request, 1 to 200; default 50. */
  pageSize?: number | undefined;
}

/** The audit log of the organization; needs the role `audit:read`. */
export interface Audit {
  /** Entries, newest first; pages are fetched as needed. */
  entries(options?: AuditOptions): AsyncGenerator<AuditEntry, void, undefined>;
}

export const makeAudit = ({ call }: Caller): Audit => ({
  entries: async function* (options = {}) {
    const { since, until, action, actor, pageSize: limit, ...rest } = optionsOf(options);
    const filters = { since: maybeInstant(since), until: maybeInstant(until), action, actor, limit };
    let cursor: string | undefined;
    do {
      const page = await call(readAudit({ ...filters, cursor } satisfies WholeQuery<'readAudit'>), rest);
      yield* listOf<'entries', AuditEntry>(page, 'entries');
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  },
});
