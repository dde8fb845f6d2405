import type { AccountKind } from '../../../../projections/accounts/accounts-projection.ts';
import { keysOf, keysOfOrganization, nameInKey } from '../key-names.ts';

export interface AccountKeys {
  /** Set: every organization. */
  organizations: string;
  /** Set: organizations that have, or had, a webhook. */
  withWebhooks: string;
  /** Set: organizations that were removed, as long as their documents are kept. */
  removed: string;
  /**
   * String: a document's organization, written before the document. The only key whose name needs no
   * organization.
   */
  orgOf(kind: AccountKind, id: string): string;
  /** String: the event of a rotation that may not be projected yet, and whether it is in the log. */
  rotation(id: string): string;
  /** String: replaced with every write to the organization's documents. */
  version(org: string): string;
  /** String: JSON. */
  document(org: string, kind: AccountKind, id: string): string;
  /** Sorted set: the ids of a kind, scored by their expiry in Unix milliseconds. */
  ids(org: string, kind: AccountKind): string;
  /** String: the attempt whose event was the first with this id. */
  event(org: string, id: string): string;
}

/**
 * Returns the keys of accounts in Redis. An organization's keys share a slot, so that one script can write
 * them all.
 */
export const accountKeys = (namespace: string): AccountKeys => {
  const shared = `${keysOf(namespace)}account:`;
  const of = (org: string): string => `${keysOfOrganization(namespace, org)}account:`;
  return {
    organizations: `${shared}organizations`,
    withWebhooks: `${shared}organizations-with-webhooks`,
    removed: `${shared}removed-organizations`,
    orgOf: (kind, id) => `${shared}org-of:${kind}:${nameInKey(id)}`,
    rotation: id => `${shared}rotation:${nameInKey(id)}`,
    version: org => `${of(org)}version`,
    document: (org, kind, id) => `${of(org)}document:${kind}:${nameInKey(id)}`,
    ids: (org, kind) => `${of(org)}ids:${kind}`,
    event: (org, id) => `${of(org)}event:${nameInKey(id)}`,
  };
};

/** Returns a name for a document that is unique across organizations; used in memory only. */
export const documentName = ({ kind, id }: { kind: AccountKind; id: string }): string => `${kind}/${id}`;
