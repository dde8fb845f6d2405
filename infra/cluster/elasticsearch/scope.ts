import type { Scope } from '../../../core/ports.ts';
import { scopeDigest } from '../../../domain/identity/identity.ts';
import type { Horizon } from '../../../domain/search/horizon.ts';
import type { DocumentKind } from './index/index.ts';
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

/** What of a tenant a query may see. No query is made without saying what has expired for it. */
export interface Seen {
  horizon: Horizon | typeof EVERYTHING;
}

/** For what isn't shown: what has expired still counts, such as a turn that is sent once more. */
export const EVERYTHING = 'everything';

/** A scope by the clock of its reader. */
export type SeenScope = Scope & Seen;

/** Every query first filters by the tenant, then excludes what has expired and what was recorded after `asOf`. */
export const inScope = ({ org, user, asOf, horizon }: Owned & Seen): Clause[] => [
  { term: { org } },
  ...(user === undefined ? [] : [{ term: { owner: ownerOf(org, user) } }]),
  ...(horizon === EVERYTHING ? [] : [{ bool: { must_not: expiredBy(horizon) } }]),
  ...(asOf === undefined ? [] : [{ range: { recorded_at: { lte: asOf } } }]),
];

/** What has expired by itself or, of what has no expiry of its own, by a retention. */
const expiredBy = ({ now, keptAfter }: Horizon): Clause[] => [
  { range: { expires_at: { lte: now } } },
  ...(keptAfter === undefined ? [] : [expiredByRetention(keptAfter)]),
];

/** What `documents.ts` gives no `kept_from` is kept from when it was recorded. */
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
