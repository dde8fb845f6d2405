import type { EntityScope, ListedScope, ListedSession, ListedUser, NamedEntity } from './listing.ts';
import type { Scope } from './scope.ts';

export interface SessionName {
  user: string;
  session: string;
}

/** An entity under one of its names, without its turns. */
export interface EntityName extends NamedEntity {
  normalised: string;
}

/**
 * Names alone, for those that look for one: what they name isn't counted. Pages are in the order of the lists,
 * by UTF-8 bytes.
 */
export interface NamedReads {
  /** Return users of the organization, after a given one; of some all may have expired. */
  userNames(scope: Pick<Scope, 'org' | 'user'>, after: string | undefined, limit: number): Promise<string[]>;
  /** Return sessions of the scope, after the given one. */
  sessionNames(
    scope: Pick<Scope, 'org' | 'user' | 'session'>,
    after: SessionName | undefined,
    limit: number,
  ): Promise<SessionName[]>;
  /**
   * Return what users are called by the names that were set last, in any order, `limit` users at most. Whether
   * that still counts is for `nameCorrections` to say.
   */
  ownNames(
    scope: Pick<Scope, 'org' | 'user'>,
    limit: number,
  ): Promise<{ user: string; names: readonly string[] }[]>;
  /** Return entities of whole users, after the given one. */
  entityNames(
    scope: Pick<EntityScope, 'org' | 'user'>,
    kind: string | undefined,
    after: { user: string; normalised: string } | undefined,
    limit: number,
  ): Promise<EntityName[]>;
  /** Return these users as their list has them, in any order; without those that it doesn't have. */
  usersNamed(scope: Pick<Scope, 'org' | 'filter'>, users: readonly string[]): Promise<ListedUser[]>;
  /** The same for sessions. */
  sessionsNamed(scope: ListedScope, sessions: readonly SessionName[]): Promise<ListedSession[]>;
}
