import { readAudit } from './operations.ts';
import type { AuditOptions } from './options.ts';
import { listOf } from './transport/answer.ts';
import type { Caller } from './transport/caller.ts';
import type { WholeQuery } from './transport/query.ts';
import { maybeInstant, optionsOf } from './transport/requests.ts';
import type { AuditEntry } from './types.ts';

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
