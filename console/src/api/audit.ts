import { request } from './request.ts';
import type { AuditPage } from './types.ts';

export interface AuditFilters {
  action: string;
  actor: string;
  /** Days, YYYY-MM-DD in UTC; the last one is included. */
  since: string;
  until: string;
}

const DAY_MS = 86_400_000;

/** Returns the start of the day after, because the service's `until` is exclusive. */
const endOf = (day: string): string => new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString();

const orNothing = (text: string): string | undefined => (text === '' ? undefined : text);

/** Returns a page of the audit log, the newest entries first. */
export const audit = (
  { action, actor, since, until }: AuditFilters,
  cursor: string | undefined,
  signal?: AbortSignal,
) =>
  request<AuditPage>('/audit', {
    query: {
      limit: 100,
      cursor,
      action: orNothing(action),
      actor: orNothing(actor),
      since: since === '' ? undefined : `${since}T00:00:00Z`,
      until: until === '' ? undefined : endOf(until),
    },
    signal,
  });
