/**
 * The table of rights: a row for each operation that needs a credential. The router checks by it, the OpenAPI
 * document and docs/reference/rights.md show it, and test/abuse/rights.ts tries every kind of key by it.
 */
import type { AuditAction, AuditTargetKind } from '../events/audit.ts';
import type { Role } from './parts/roles.ts';

/**
 * How far a call reaches. `scope`: its use case keeps a strict key in its user and session. `user`: all of a
 * user's sessions, which no key that is strict for one session may reach. `organization`: no strict key may
 * reach it.
 */
export type Reach = 'scope' | 'user' | 'organization';

export interface Right {
  /** Any one of these roles is required, and `*` has all of them; empty: any credential. */
  access: readonly Role[];
  reach: Reach;
  /**
   * A caller without memory:read is answered with the id alone, and alike whether or not there is such a
   * thing. Ids of names can be computed from guesses, and a correction says what it corrected.
   */
  untold?: true;
  /** Its name in the audit log, also where the call was refused. */
  action: AuditAction;
  /**
   * Which of its calls leave an entry beside the refused ones: `acts`: each that changed something; `reads`:
   * one a key, target and hour.
   */
  noted: 'acts' | 'reads' | 'refusals';
  /** Whom or what its entries name. */
  target?: AuditedTarget;
}

/**
 * `scope`: the user or session that the call names; `caller`: the user of the caller or, where it may name
 * any, the organization; otherwise the kind of the thing that the path or, of a new one, the answer names.
 */
export type AuditedTarget = AuditTargetKind | 'scope' | 'caller';

export const RIGHTS = {
  ingest: { access: ['memory:write'], reach: 'scope', action: 'memory.write', noted: 'refusals' },
  job: { access: ['memory:write', 'memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  recall: { access: ['memory:read'], reach: 'scope', action: 'memory.recall', noted: 'refusals' },
  readReceipt: {
    access: ['memory:read'],
    reach: 'scope',
    action: 'memory.receipt',
    noted: 'reads',
    target: 'recall',
  },
  // It changes no memory, so whoever is told a hit may say what it was worth.
  giveFeedback: {
    access: ['memory:read'],
    reach: 'scope',
    action: 'memory.feedback',
    noted: 'refusals',
  },

  say: { access: ['memory:write'], reach: 'scope', untold: true, action: 'memory.write', noted: 'refusals' },
  correct: {
    access: ['memory:curate'],
    reach: 'scope',
    untold: true,
    action: 'memory.correct',
    noted: 'acts',
    target: 'observation',
  },
  retractTurn: {
    access: ['memory:curate'],
    reach: 'scope',
    untold: true,
    action: 'memory.retract',
    noted: 'acts',
    target: 'turn',
  },
  retractObservation: {
    access: ['memory:curate'],
    reach: 'scope',
    untold: true,
    action: 'memory.retract',
    noted: 'acts',
    target: 'observation',
  },
  nameUser: {
    access: ['memory:curate'],
    reach: 'user',
    untold: true,
    action: 'names.user',
    noted: 'acts',
    target: 'user',
  },
  correctEntity: {
    access: ['memory:curate'],
    reach: 'user',
    untold: true,
    action: 'names.entity',
    noted: 'acts',
    target: 'entity',
  },
  titleSession: {
    access: ['memory:curate'],
    reach: 'scope',
    untold: true,
    action: 'names.session',
    noted: 'acts',
    target: 'session',
  },
  erase: { access: ['memory:erase'], reach: 'scope', action: 'memory.erase', noted: 'acts', target: 'scope' },

  readUser: { access: ['memory:read'], reach: 'user', action: 'memory.read', noted: 'refusals' },
  readTurn: { access: ['memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  readStats: { access: ['memory:read'], reach: 'user', action: 'memory.read', noted: 'refusals' },
  // One user's row has the counts of its other sessions.
  listUsers: { access: ['memory:read'], reach: 'user', action: 'memory.read', noted: 'refusals' },
  listSessions: { access: ['memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  listTurns: { access: ['memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  listObservations: { access: ['memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  listEntities: { access: ['memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  listFacts: { access: ['memory:read'], reach: 'scope', action: 'memory.read', noted: 'refusals' },
  feed: { access: ['memory:read'], reach: 'scope', action: 'memory.feed', noted: 'reads', target: 'caller' },
  export: {
    access: ['*'],
    reach: 'organization',
    action: 'memory.export',
    noted: 'reads',
    target: 'organization',
  },

  usageToday: { access: ['usage:read'], reach: 'organization', action: 'usage.read', noted: 'refusals' },
  usageMonth: { access: ['usage:read'], reach: 'organization', action: 'usage.read', noted: 'refusals' },
  usageDaily: { access: ['usage:read'], reach: 'organization', action: 'usage.read', noted: 'refusals' },
  usageStatement: { access: ['usage:read'], reach: 'organization', action: 'usage.read', noted: 'refusals' },

  me: { access: [], reach: 'scope', action: 'account.read', noted: 'refusals' },
  retention: { access: [], reach: 'scope', action: 'account.read', noted: 'refusals' },
  setRetention: {
    access: ['*'],
    reach: 'organization',
    action: 'retention.set',
    noted: 'acts',
    target: 'organization',
  },
  screening: { access: [], reach: 'scope', action: 'account.read', noted: 'refusals' },
  setScreening: {
    access: ['*'],
    reach: 'organization',
    action: 'screening.set',
    noted: 'acts',
    target: 'organization',
  },
  deletion: { access: [], reach: 'scope', action: 'account.read', noted: 'refusals' },
  // Like an export, or a retention: all of an organization is an owner's to take away.
  askDeletion: {
    access: ['*'],
    reach: 'organization',
    action: 'organization.delete_ask',
    noted: 'acts',
    target: 'organization',
  },
  confirmDeletion: {
    access: ['*'],
    reach: 'organization',
    action: 'organization.delete',
    noted: 'acts',
    target: 'organization',
  },
  withdrawDeletion: {
    access: ['*'],
    reach: 'organization',
    action: 'organization.delete_withdraw',
    noted: 'acts',
    target: 'organization',
  },
  readAudit: {
    access: ['audit:read'],
    reach: 'organization',
    action: 'audit.read',
    noted: 'reads',
    target: 'organization',
  },
  // A key of one user handles that user's keys alone: services/use-cases/accounts/keys.
  listApiKeys: { access: ['keys:manage'], reach: 'organization', action: 'keys.read', noted: 'refusals' },
  createApiKey: {
    access: ['keys:manage'],
    reach: 'scope',
    action: 'keys.create',
    noted: 'acts',
    target: 'key',
  },
  rotateApiKey: {
    access: ['keys:manage'],
    reach: 'scope',
    action: 'keys.rotate',
    noted: 'acts',
    target: 'key',
  },
  revokeApiKey: {
    access: ['keys:manage'],
    reach: 'scope',
    action: 'keys.revoke',
    noted: 'acts',
    target: 'key',
  },
  // A webhook is of an organization or of a user: services/use-cases/webhooks.
  listWebhooks: { access: ['keys:manage'], reach: 'user', action: 'webhooks.read', noted: 'refusals' },
  createWebhook: {
    access: ['keys:manage'],
    reach: 'user',
    action: 'webhooks.create',
    noted: 'acts',
    target: 'webhook',
  },
  deleteWebhook: {
    access: ['keys:manage'],
    reach: 'user',
    action: 'webhooks.delete',
    noted: 'acts',
    target: 'webhook',
  },
  listWebhookDeliveries: {
    access: ['keys:manage'],
    reach: 'user',
    action: 'webhooks.read',
    noted: 'refusals',
  },
  resumeWebhook: {
    access: ['keys:manage'],
    reach: 'user',
    action: 'webhooks.resume',
    noted: 'acts',
    target: 'webhook',
  },
} satisfies Record<string, Right>;
