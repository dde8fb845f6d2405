/**
 * The table of rights: a row for each operation that needs a credential. The router checks by it, the OpenAPI
 * document and docs/reference/rights.md show it, and test/abuse/rights.ts tries every kind of key by it.
 */
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
}

export const RIGHTS = {
  ingest: { access: ['memory:write'], reach: 'scope' },
  job: { access: ['memory:write', 'memory:read'], reach: 'scope' },
  recall: { access: ['memory:read'], reach: 'scope' },
  readReceipt: { access: ['memory:read'], reach: 'scope' },

  say: { access: ['memory:write'], reach: 'scope', untold: true },
  correct: { access: ['memory:curate'], reach: 'scope', untold: true },
  retractTurn: { access: ['memory:curate'], reach: 'scope', untold: true },
  retractObservation: { access: ['memory:curate'], reach: 'scope', untold: true },
  nameUser: { access: ['memory:curate'], reach: 'user', untold: true },
  correctEntity: { access: ['memory:curate'], reach: 'user', untold: true },
  titleSession: { access: ['memory:curate'], reach: 'scope', untold: true },
  erase: { access: ['memory:erase'], reach: 'scope' },

  readUser: { access: ['memory:read'], reach: 'user' },
  readTurn: { access: ['memory:read'], reach: 'scope' },
  // One user's row has the counts of its other sessions.
  listUsers: { access: ['memory:read'], reach: 'user' },
  listSessions: { access: ['memory:read'], reach: 'scope' },
  listTurns: { access: ['memory:read'], reach: 'scope' },
  listObservations: { access: ['memory:read'], reach: 'scope' },
  listEntities: { access: ['memory:read'], reach: 'scope' },
  listFacts: { access: ['memory:read'], reach: 'scope' },
  feed: { access: ['memory:read'], reach: 'scope' },
  export: { access: ['*'], reach: 'organization' },

  usageToday: { access: ['usage:read'], reach: 'organization' },
  usageMonth: { access: ['usage:read'], reach: 'organization' },
  usageDaily: { access: ['usage:read'], reach: 'organization' },
  usageStatement: { access: ['usage:read'], reach: 'organization' },

  me: { access: [], reach: 'scope' },
  retention: { access: [], reach: 'scope' },
  setRetention: { access: ['*'], reach: 'organization' },
  screening: { access: [], reach: 'scope' },
  setScreening: { access: ['*'], reach: 'organization' },
  // A key of one user handles that user's keys alone: services/use-cases/accounts/keys.
  listApiKeys: { access: ['keys:manage'], reach: 'organization' },
  createApiKey: { access: ['keys:manage'], reach: 'scope' },
  revokeApiKey: { access: ['keys:manage'], reach: 'scope' },
} satisfies Record<string, Right>;
