import { scopeDigest } from '../../../projections/recall/identity.ts';
import type { Scope } from '../../../services/core/ports.ts';
import type { DocumentKind } from './index.ts';

/** Names a user partition in filters and routes its documents. A digest, since commas separate routing values. */
export const ownerOf = (org: string, user: string): string => scopeDigest([org, user]);

/** Routes what belongs to an organization but to no user. */
export const organizationRouting = (org: string): string => scopeDigest([org]);

/** A number for a session, 53 bits of a hash: among 100,000 sessions of an organization two collide once in a million. */
export const sessionKeyOf = (org: string, user: string, session: string): number =>
  sessionKeyOfDigest(scopeDigest([org, user, session]));

/** The same number from the digest by which an erasure names the session. */
export const sessionKeyOfDigest = (hex: string): number =>
  Number.parseInt(hex.slice(0, 13), 16) * 2 + (Number.parseInt(hex[13]!, 16) & 1);

export type Clause = Record<string, unknown>;

/** The kinds that a recall searches. */
export const CANDIDATES: readonly DocumentKind[] = ['turn', 'said'];

/** The tenant, and the instant that is asked about. */
export type Owned = Pick<Scope, 'org' | 'user' | 'asOf'>;

/** Every query begins with the tenant, then excludes what was recorded later than the instant that is asked about. */
export const inScope = ({ org, user, asOf }: Owned): Clause[] => [
  { term: { org } },
  ...(user === undefined ? [] : [{ term: { owner: ownerOf(org, user) } }]),
  ...(asOf === undefined ? [] : [{ range: { recorded_at: { lte: asOf } } }]),
];

export const inWindow = (scope: Scope): Clause[] => [...inScope(scope), ...ofWindow(scope)];

/** The session, and the bounds of the timestamp. */
export const ofWindow = ({ session, since, until }: Pick<Scope, 'session' | 'since' | 'until'>): Clause[] => [
  ...(session === undefined ? [] : [{ term: { session } }]),
  ...(since === undefined && until === undefined
    ? []
    : [{ range: { timestamp: { gte: since, lte: until } } }]),
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
