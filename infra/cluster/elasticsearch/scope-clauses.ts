import type { Scope } from '../../../core/ports.ts';
import { scopeDigest } from '../../../domain/identity/identity.ts';
import type { Horizon } from '../../../domain/search/horizon.ts';
import type { DocumentKind } from './index/index.ts';
import { ofMetadata } from './metadata-clauses.ts';

/**
 * Returns the name of a user partition in filters and routing. It is a digest, since commas separate routing
 * values.
 */
export const ownerOf = (org: string, user: string): string => scopeDigest([org, user]);

/** Returns the routing of documents that belong to an organization but not to a user. */
export const organizationRouting = (org: string): string => scopeDigest([org]);

/**
 * Returns a session's number, 53 bits of a hash: among 100,000 sessions of an organization, the probability
 * of a collision is one in a million.
 */
export const sessionKeyOf = (org: string, user: string, session: string): number =>
  sessionKeyOfDigest(scopeDigest([org, user, session]));

/** Returns the same number from the digest by which an erasure names the session. */
export const sessionKeyOfDigest = (hex: string): number =>
  Number.parseInt(hex.slice(0, 13), 16) * 2 + (Number.parseInt(hex[13]!, 16) & 1);

export type Clause = Record<string, unknown>;

/** The kinds of documents that a recall searches. */
export const CANDIDATES: readonly DocumentKind[] = ['turn', 'said'];

/** The tenant, and the instant of the question. */
export type Owned = Pick<Scope, 'org' | 'user' | 'asOf'>;

/** The part of a tenant's data that a query may see. Every query states its horizon of expiry. */
export interface Seen {
  horizon: Horizon | typeof EVERYTHING;
}

/** For internal reads: expired data still counts, such as a turn that is sent again. */
export const EVERYTHING = 'everything';

/** A scope with the horizon of its reader's clock. */
export type SeenScope = Scope & Seen;

/**
 * Returns filters: first the tenant, then the exclusion of expired documents and of those recorded after
 * `asOf`.
 */
export const inScope = ({ org, user, asOf, horizon }: Owned & Seen): Clause[] => [
  { term: { org } },
  ...(user === undefined ? [] : [{ term: { owner: ownerOf(org, user) } }]),
  ...(horizon === EVERYTHING ? [] : [{ bool: { must_not: expiredBy(horizon) } }]),
  ...(asOf === undefined ? [] : [{ range: { recorded_at: { lte: asOf } } }]),
];

/**
 * Returns clauses for documents that expired by themselves or, without an expiry of their own, by a
 * retention.
 */
const expiredBy = ({ now, keptAfter }: Horizon): Clause[] => [
  { range: { expires_at: { lte: now } } },
  ...(keptAfter === undefined ? [] : [expiredByRetention(keptAfter)]),
];

/**
 * Matches documents that a retention ended. Without a `kept_from` (documents.ts), they are kept from when
 * they were recorded.
 */
export const expiredByRetention = (keptAfter: number): Clause => {
  const upTo = { lte: keptAfter };
  const own = {
    bool: { filter: { range: { recorded_at: upTo } }, must_not: { exists: { field: 'kept_from' } } },
  };
  return {
    bool: {
      must_not: { exists: { field: 'expires_at' } },
      should: [{ range: { kept_from: upTo } }, own],
      minimum_should_match: 1,
    },
  };
};

export const inWindow = (scope: SeenScope): Clause[] => [...inScope(scope), ...ofWindow(scope)];

/** Returns filters for the session, the bounds of the timestamp, and the metadata. */
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

/** Returns the routing: a user's documents are on one shard, an organization's may be on all. */
export const routingOf = ({ org, user }: Pick<Scope, 'org' | 'user'>): { routing?: string } =>
  user === undefined ? {} : { routing: ownerOf(org, user) };

/** Returns options to read columns only: neither the stored source nor ids. */
export const columns = (...fields: string[]) => ({
  _source: false,
  stored_fields: '_none_',
  docvalue_fields: fields,
});
