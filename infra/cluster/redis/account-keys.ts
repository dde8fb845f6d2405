import type { AccountKind } from '../../../projections/accounts/projection.ts';
import { keysOf, keysOfOrganization, nameInKey } from './names.ts';

export interface AccountKeys {
  /** Set: every organization. */
  organizations: string;
  /** String: whose document this is. Before the document is there; it alone can be looked for without its organization. */
  orgOf(kind: AccountKind, id: string): string;
  /** String: another one after every write to the organization's documents. */
  version(org: string): string;
  /** String: JSON. */
  document(org: string, kind: AccountKind, id: string): string;
  /** Sorted set: the ids of a kind by the instant (Unix milliseconds) at which they end. */
  ids(org: string, kind: AccountKind): string;
  /** String: the attempt whose event was the first of this id. */
  event(org: string, id: string): string;
}

/** The keys of accounts in Redis. All of an organization share its slot, so that one script writes them. */
export const accountKeys = (namespace: string): AccountKeys => {
  const shared = `${keysOf(namespace)}account:`;
  const of = (org: string): string => `${keysOfOrganization(namespace, org)}account:`;
  return {
    organizations: `${shared}organizations`,
    orgOf: (kind, id) => `${shared}org-of:${kind}:${nameInKey(id)}`,
    version: org => `${of(org)}version`,
    document: (org, kind, id) => `${of(org)}document:${kind}:${nameInKey(id)}`,
    ids: (org, kind) => `${of(org)}ids:${kind}`,
    event: (org, id) => `${of(org)}event:${nameInKey(id)}`,
  };
};
