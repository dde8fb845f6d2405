import { scopeDigest } from '../../../projections/recall/identity.ts';
import type { Scope } from '../../../services/core/ports.ts';
import type { DocumentKind } from './index.ts';

/** Names a user partition in filters and routes its documents: routing values are lists between commas, names hold any sign. */
export const ownerOf = (org: string, user: string): string => scopeDigest([org, user]);

/** Routes what belongs to an organization and no user. */
export const organizationRouting = (org: string): string => scopeDigest([org]);

/** A number for a session, 53 bits of a hash: among 100,000 sessions of an organization two meet once in a million. */
export const sessionKeyOf = (org: string, user: string, session: string): number =>
  sessionKeyOfDigest(scopeDigest([org, user, session]));

/** The same of the name that an erasure has for the session. */
export const sessionKeyOfDigest = (hex: string): number =>
  Number.parseInt(hex.slice(0, 13), 16) * 2 + (Number.parseInt(hex[13]!, 16) & 1);

export type Clause = Record<string, unknown>;

/** What a recall may find by itself. */
export const CANDIDATES: readonly DocumentKind[] = ['turn', 'said'];

/** Whose documents, and of which time. */
export type Owned = Pick<Scope, 'org' | 'user' | 'asOf'>;

/** The tenant comes first in every query; then what is later than the instant that is asked about is left out of it. */
export const inScope = ({ org, user, asOf }: Owned): Clause[] => [
  { term: { org } },
  ...(user === undefined ? [] : [{ term: { owner: ownerOf(org, user) } }]),
  ...(asOf === undefined ? [] : [{ range: { recorded_at: { lte: asOf } } }]),
];

export const inWindow = (scope: Scope): Clause[] => [...inScope(scope), ...ofWindow(scope)];

/** Of which session, and said when. */
export const ofWindow = ({ session, since, until }: Pick<Scope, 'session' | 'since' | 'until'>): Clause[] => [
  ...(session === undefined ? [] : [{ term: { session } }]),
  ...(since === undefined && until === undefined
    ? []
    : [{ range: { timestamp: { gte: since, lte: until } } }]),
];

/** Only the shards that hold a user's documents are asked; an organization's may be on all. */
export const routingOf = ({ org, user }: Pick<Scope, 'org' | 'user'>): { routing?: string } =>
  user === undefined ? {} : { routing: ownerOf(org, user) };

/** Read from columns alone: neither the stored source nor ids are opened. */
export const columns = (...fields: string[]) => ({
  _source: false,
  stored_fields: '_none_',
  docvalue_fields: fields,
});
