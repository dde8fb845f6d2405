import { scopeDigest } from '../../../projections/recall/identity.ts';
import type { Scope } from '../../../services/core/ports.ts';
import type { DocumentKind } from './index.ts';
import { ofMetadata } from './metadata.ts';

/** Names a user partition in filters and routes its documents. It is a digest, since commas separate routing values. */
export const ownerOf = (org: string, user: string): string => scopeDigest([org, user]);

/** Routes documents that belong to an organization but not to a user. */
export const organizationRouting = (org: string): string => scopeDigest([org]);

/**
 * A session's number, 53 bits of a hash: among 100,000 sessions of an organization, the probability of a collision is one
 * in a million.
 */
export const sessionKeyOf = (org: string, user: string, session: string): number =>
  sessionKeyOfDigest(scopeDigest([org, user, session]));

/** The same number from the digest by which an erasure names the session. */
export const sessionKeyOfDigest = (hex: string): number =>
  Number.parseInt(hex.slice(0, 13), 16) * 2 + (Number.parseInt(hex[13]!, 16) & 1);

export type Clause = Record<string, unknown>;

/** The kinds of documents that a recall searches. */
export const CANDIDATES: readonly DocumentKind[] = ['turn', 'said'];

/** The tenant, and the instant of the question. */
export type Owned = Pick<Scope, 'org' | 'user' | 'asOf'>;

/** Every query first filters by the tenant, then excludes what was recorded after `asOf`. */
export const inScope = ({ org, user, asOf }: Owned): Clause[] => [
  { term: { org } },
  ...(user === undefined ? [] : [{ term: { owner: ownerOf(org, user) } }]),
  ...(asOf === undefined ? [] : [{ range: { recorded_at: { lte: asOf } } }]),
];

export const inWindow = (scope: Scope): Clause[] => [...inScope(scope), ...ofWindow(scope)];

/** The session, the bounds of the timestamp, and the metadata. */
export const ofWindow = ({
  session,
  since,
  until,
  filter,
}: Pick<Scope, 'session' | 'since' | 'until' | 'filter'>): Clause[] => [
  ...(session === undefined ? [] : [{ term: { session } }]),
  ...(since === undefined && until === undefined
    ? []
    : [{ range: { timestamp: { gte: since, lte: until } } }]),
  ...(filter === undefined ? [] : [ofMetadata(filter)]),
];

/** A user's documents are on one shard; an organization's may be on all. */
export const routingOf = ({ org, user }: Pick<Scope, 'org' | 'user'>): { routing?: string } =>
  user === undefined ? {} : { routing: ownerOf(org, user) };

/** Reads columns only: neither the stored source nor ids. */
export const columns = (...fields: string[]) => ({
  _source: false,
  stored_fields: '_none_',
  docvalue_fields: fields,
});
