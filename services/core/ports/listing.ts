import type { Origin } from '../../../projections/recall/projection.ts';
import type { StoredFragment } from './recall-index.ts';
import type { Scope } from './scope.ts';

/**
 * Where a fragment stands among all of an organization: by user, session, and when it was said; then by where its topic
 * holds the first copy of it. It never changes, so a list that goes on behind one misses nothing and repeats nothing,
 * whatever arrives.
 */
export interface ListPlace {
  user: string;
  session: string;
  /** Unix milliseconds. */
  timestamp: number;
  offset: number;
  id: string;
}

export interface ListedFragment {
  place: ListPlace;
  fragment: StoredFragment;
}

/** A turn and where it comes from. */
export interface KeptTurn {
  fragment: StoredFragment;
  /** Where the log holds it, and when the service recorded it. */
  origin: Origin;
}

export interface ListedUser {
  user: string;
  sessions: number;
  turns: number;
  /** Unix milliseconds of the last turn, by what it tells of itself; null where only identities are kept. */
  lastAt: number | null;
}

export interface ListedSession {
  user: string;
  session: string;
  turns: number;
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
  /** Turns of the scope that name it. */
  turns: number;
}

/** Which fragments of a scope are listed. */
export interface ListFilter {
  kind: 'turn' | 'observation';
  role?: string | undefined;
  /** Of observations. */
  turnId?: string | undefined;
  source?: 'client' | 'rules' | 'llm' | undefined;
}

/**
 * What the read models hold, in a fixed order and a page at a time: names and ids sort by their UTF-8 bytes. Every read
 * takes the tenant first; what it goes on behind is in the scope.
 */
export interface Listing {
  /** By name, behind one. */
  users(scope: Pick<Scope, 'org' | 'user'>, after: string | undefined, limit: number): Promise<ListedUser[]>;
  /** By user and name, behind one. */
  sessions(
    scope: Pick<Scope, 'org' | 'user' | 'session'>,
    after: { user: string; session: string } | undefined,
    limit: number,
  ): Promise<ListedSession[]>;
  /** In the order of their places or the other way round, behind one. */
  fragments(
    scope: Scope,
    filter: ListFilter,
    order: 'asc' | 'desc',
    after: ListPlace | undefined,
    limit: number,
  ): Promise<ListedFragment[]>;
  /** By user and normalised label, behind one: those that turns of the scope name, and by how many of them. */
  entities(
    scope: Pick<Scope, 'org' | 'user' | 'session'>,
    filter: { kind?: string | undefined; turnId?: string | undefined },
    after: { user: string; normalised: string } | undefined,
    limit: number,
  ): Promise<ListedEntity[]>;
  /** What a turn names, by normalised label; uncounted, so that it costs no more where all of a user's turns name it. */
  named(scope: Pick<Scope, 'org' | 'user'>, turnId: string): Promise<NamedEntity[]>;
  /** Of these turns and what clients observed of them: the offsets of those that are shown. */
  offsets(scope: Pick<Scope, 'org' | 'user'>, ids: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** A turn of the scope, by its id. */
  turn(scope: Pick<Scope, 'org' | 'user'>, id: string): Promise<KeptTurn | undefined>;
}
