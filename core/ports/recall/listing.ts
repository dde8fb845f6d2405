import type { NewFragment } from '../../../domain/search/fragment.ts';
import type { AboutSession, Origin, SaidOfSession } from '../../../projections/recall/recall-writes.ts';
import type { RecordAddress } from '../log/event-log.ts';
import type { LivingReads } from './living.ts';
import type { NamedReads } from './named.ts';
import type { Scope } from './scope.ts';

/**
 * The sort key of a fragment within its organization: by user, session and timestamp, then by the offset
 * of its first copy in its topic. It never changes, so a list that continues after a cursor neither misses
 * nor repeats a fragment, whatever is appended.
 */
export interface ListCursor {
  user: string;
  session: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** The event offset (event-offset.ts). */
  offset: number;
  id: string;
}

export interface ListedFragment {
  cursor: ListCursor;
  fragment: NewFragment;
}

/** An observation, its own expiry, and the log record that holds its event. */
export type KeptObservation = NewFragment & {
  /** Unix milliseconds. */
  expiresAt?: number | undefined;
  record: RecordAddress;
};

/** A turn and its origin. */
export interface KeptTurn {
  fragment: NewFragment;
  /** Its position in the log, and when the service recorded it. */
  origin: Origin;
}

export interface ListedUser {
  user: string;
  sessions: number;
  turns: number;
  /**
   * Unix milliseconds of the last turn, by the turns' own timestamps; null where only identities are kept.
   */
  lastAt: number | null;
}

/** The last saying of each kind about a session, and when it was recorded: Unix milliseconds. */
export type LastSaid = { [About in AboutSession]?: { value: SaidOfSession[About]; at: number } };

export interface ListedSession {
  user: string;
  session: string;
  turns: number;
  said: LastSaid;
  /** Unix milliseconds of the first and the last turn. */
  firstAt: number | null;
  lastAt: number | null;
}

export interface NamedEntity {
  id: string;
  user: string;
  label: string;
  kind: string;
}

export interface ListedEntity extends NamedEntity {
  normalised: string;
  /** The number of turns in the scope that name it. */
  turns: number;
}

/** A scope whose lists have no window of time. */
export type ListedScope = Pick<Scope, 'org' | 'user' | 'session' | 'filter'>;

/** Entities may be listed as of a moment. */
export type EntityScope = ListedScope & Pick<Scope, 'asOf'>;

/** Selects the fragments of a scope to list. */
export interface ListFilter {
  kind: 'turn' | 'observation';
  role?: string | undefined;
  /** Only for observations. */
  turnId?: string | undefined;
  source?: 'client' | 'rules' | 'llm' | undefined;
}

/**
 * List the read models' content in a fixed order, one page at a time; names and ids sort by their UTF-8
 * bytes. Every read takes the tenant first; what it continues after is in the scope.
 */
export interface Listing extends LivingReads, NamedReads {
  /** Sorted by name, after the given one. */
  users(
    scope: Pick<Scope, 'org' | 'user' | 'filter'>,
    after: string | undefined,
    limit: number,
  ): Promise<ListedUser[]>;
  /** Sorted by user and name, after the given ones. */
  sessions(
    scope: ListedScope,
    after: { user: string; session: string } | undefined,
    limit: number,
  ): Promise<ListedSession[]>;
  /** Sorted by cursor, ascending or descending, after the given one. */
  fragments(
    scope: Scope,
    filter: ListFilter,
    order: 'asc' | 'desc',
    after: ListCursor | undefined,
    limit: number,
  ): Promise<ListedFragment[]>;
  /**
   * Return the entities that turns of the scope name, with the number of these turns, sorted by user and
   * normalised label, after the given ones.
   */
  entities(
    scope: EntityScope,
    filter: { kind?: string | undefined; turnId?: string | undefined },
    after: { user: string; normalised: string } | undefined,
    limit: number,
  ): Promise<ListedEntity[]>;
  /** Return those of these entities that turns of the scope name, in any order. */
  entitiesById(scope: EntityScope & { user: string }, ids: readonly string[]): Promise<ListedEntity[]>;
  /** Return how many turns of the scope name any of these entities of one user. */
  naming(scope: ListedScope & { user: string }, normalised: readonly string[]): Promise<number>;
  /**
   * Return the entities that a turn names, by normalised label. They are not counted, so the cost does not
   * depend on the user's other turns.
   */
  named(scope: Pick<Scope, 'org' | 'user'>, turnId: string): Promise<NamedEntity[]>;
  /** Return the offsets of the visible ones among these turns and their client observations. */
  offsets(scope: Pick<Scope, 'org' | 'user'>, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Return an observation of the scope by its id. */
  observation(scope: Pick<Scope, 'org' | 'user'>, id: string): Promise<KeptObservation | undefined>;
  /** Return a turn of the scope by its id. */
  turn(scope: Pick<Scope, 'org' | 'user'>, id: string): Promise<KeptTurn | undefined>;
}
