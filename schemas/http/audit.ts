/** The audit log of an organization. */
import { AUDIT_ACTIONS, AUDIT_ACTORS, AUDIT_OUTCOMES, AUDIT_TARGETS } from '../events/audit.ts';
import type { FromQuery, FromSchema } from '../from-schema.ts';
import { guarded, json } from './operation.ts';
import { component, instant, list, nullableString, object, reference, string } from './parts/parts.ts';
import { makeCursor } from './queries/cursor.ts';
import { query } from './queries/query-schema.ts';
import { windowFaults } from './queries/window.ts';
import { RIGHTS } from './rights.ts';

/** Entries per page by default. */
export const AUDIT_LISTED = 50;

export const auditCursor = makeCursor('audit', { at: 'string', id: 'string' });

const members = {
  since: { ...instant, description: 'Entries from this instant on.' },
  until: { ...instant, description: 'Entries before this instant.' },
  action: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'Entries of this action.',
    examples: ['keys.create'],
  },
  actor: {
    type: 'string',
    minLength: 1,
    maxLength: 256,
    description: 'Entries of this key or of this user, by id; or of a kind: key, operator, sign_up.',
  },
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: 200,
    default: AUDIT_LISTED,
    description: 'Maximum number of entries per page.',
  },
  cursor: {
    type: 'string',
    minLength: 1,
    description: 'The next_cursor of the previous page.',
  },
} as const;

export type AuditQuery = FromQuery<typeof members>;

const auditEntry = component(
  'AuditEntry',
  object({
    id: string,
    at: instant,
    actor: object({
      kind: { type: 'string', enum: AUDIT_ACTORS, description: 'operator: a command of an operator.' },
      key_id: nullableString,
      user_id: { ...nullableString, description: "The key's user." },
      address: {
        ...nullableString,
        description:
          'loopback, private or, of a public address, the range that it is in: its first 24 bits (IPv4) or 48 (IPv6).',
      },
    }),
    action: { type: 'string', enum: AUDIT_ACTIONS },
    target: {
      ...object({
        kind: { type: 'string', enum: AUDIT_TARGETS },
        id: nullableString,
        user_id: { ...nullableString, description: 'The user whose it is, where the call names one.' },
      }),
      type: ['object', 'null'],
      description: 'Null: the call was refused, or was one of very many of its key in this hour.',
    },
    outcome: {
      type: 'string',
      enum: AUDIT_OUTCOMES,
      description:
        'unchanged: it was allowed, and there was nothing to change. refused: the credential may not.',
    },
    request_id: { ...string, description: 'The X-Correlation-ID of the call.' },
  } as const),
);
export type AuditEntry = FromSchema<typeof auditEntry.schema>;

const auditPage = component(
  'AuditPage',
  object({
    entries: list(reference(auditEntry)),
    next_cursor: { ...nullableString, description: 'Send it as cursor; null: this is the last page.' },
  }),
);
export type AuditPage = FromSchema<typeof auditPage.schema>;

export const auditOperations = {
  readAudit: guarded({
    method: 'get',
    path: '/audit',
    summary: 'Read the audit log',
    description:
      'What was done with the organization, newest first, within a few seconds: keys made, first used and revoked, sign-ins, reads of exports, receipts, the feed and this log, erasures, corrections, names, retention, limits, calls of operators, and what was refused for lack of a right. Reads, refusals and calls that change nothing are one entry a key, action, target and hour. Entries hold ids and no words, and are kept for 400 days, also those of erased users.',
    tag: 'Accounts',
    ...RIGHTS.readAudit,
    query: query<typeof members>(members, {
      between: sent => [...windowFaults('query', sent), ...auditCursor.faults(sent)],
    }),
    answer: json(200, 'A page of entries.', auditPage, {
      entries: [
        {
          id: 'aud_6b1c1f2bb4b1f9c5d7a3e0f1a2b3c4d5',
          at: '2026-03-09T09:30:00.000Z',
          actor: { kind: 'key', key_id: '3a34f8c3bba037b0', user_id: 'owner', address: '203.0.113.0/24' },
          action: 'keys.create',
          target: { kind: 'key', id: '5c3ef9a41b7d2e60', user_id: null },
          outcome: 'done',
          request_id: '0b3f5f6e-7f0c-4e3a-9a54-1f0f5c3c9a11',
        },
      ],
      next_cursor: null,
    }),
    statuses: [422, 503],
  }),
};
