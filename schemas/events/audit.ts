/** The topic `audit`: plain, keyed by organization. Entries name ids; they hold no words and no secrets. */

/** The names of what is noted, by what it touches. */
export const AUDIT_ACTIONS = [
  'account.read',
  'audit.read',
  'keys.create',
  'keys.first_use',
  'keys.read',
  'keys.recover',
  'keys.revoke',
  'keys.rotate',
  'limits.set',
  'memory.correct',
  'memory.erase',
  'memory.export',
  'memory.feed',
  'memory.feedback',
  'memory.import',
  'memory.read',
  'memory.recall',
  'memory.receipt',
  'memory.retract',
  'memory.write',
  'names.entity',
  'names.session',
  'names.user',
  'organization.create',
  'organization.delete',
  'organization.delete_ask',
  'organization.delete_withdraw',
  'retention.set',
  'screening.set',
  'sign_in',
  'usage.read',
  'webhooks.create',
  'webhooks.delete',
  'webhooks.read',
  'webhooks.resume',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** `key`: a caller with a credential; `sign_up`: one without; `operator`: a command of an operator. */
export const AUDIT_ACTORS = ['key', 'operator', 'sign_up'] as const;

/**
 * `done`: it changed something, or was read; `unchanged`: it was allowed and found nothing to change;
 * `refused`: the credential may not.
 */
export const AUDIT_OUTCOMES = ['done', 'unchanged', 'refused'] as const;

export const AUDIT_TARGETS = [
  'organization',
  'key',
  'user',
  'session',
  'turn',
  'observation',
  'entity',
  'recall',
  'webhook',
] as const;
export type AuditTargetKind = (typeof AUDIT_TARGETS)[number];

/** Something that was done, read or refused. When, and by which request, is in its envelope. */
export interface AuditNoted {
  action: AuditAction;
  outcome: (typeof AUDIT_OUTCOMES)[number];
  actor_kind: (typeof AUDIT_ACTORS)[number];
  actor_key: string | null;
  actor_user: string | null;
  /** `loopback`, `private`, or the range that the address is in (address-class.ts). */
  actor_address: string | null;
  /** Null: a refused call, whose target is the caller's choice, or one of too many targets. */
  target_kind: AuditTargetKind | null;
  target_id: string | null;
  /** The user whose it is, where that is known. */
  target_user: string | null;
}

const named = { type: 'string', minLength: 1 } as const;
const optional = { type: ['string', 'null'] } as const;

/** Actions and kinds aren't listed: an entry of a later release is one too. */
export const auditNotedSchema = {
  type: 'object',
  required: [
    'action',
    'outcome',
    'actor_kind',
    'actor_key',
    'actor_user',
    'actor_address',
    'target_kind',
    'target_id',
    'target_user',
  ],
  properties: {
    action: named,
    outcome: named,
    actor_kind: named,
    actor_key: optional,
    actor_user: optional,
    actor_address: optional,
    target_kind: optional,
    target_id: optional,
    target_user: optional,
  },
} as const;
