/** Acknowledged turns that the index may not show yet, as list entries. */

import type {
  ListCursor,
  ListedFragment,
  ListedSession,
  ListedUser,
  ListFilter,
  TailTurn,
} from '../../../core/ports.ts';
import { compareText } from '../../../domain/filter/compare-text.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import { tailFragment, tailObservations } from '../../../projections/recall/tail/tail-turn.ts';

export type Order = 'asc' | 'desc';

/** Compares cursors in the order of a list. */
export const compareCursors = (a: ListCursor, b: ListCursor, order: Order): number =>
  (compareText(a.user, b.user) ||
    compareText(a.session, b.session) ||
    a.timestamp - b.timestamp ||
    a.offset - b.offset ||
    compareText(a.id, b.id)) * (order === 'asc' ? 1 : -1);

/** The tail's turns, or its clients' observations, in any order. */
export const tailEntries = (
  tail: readonly TailTurn[],
  { kind, role, turnId, source }: ListFilter,
): ListedFragment[] =>
  tail
    .filter(turn => role === undefined || turn.role === role)
    .flatMap(turn => (kind === 'turn' ? turnEntries(turn) : observationEntries(turn, turnId, source)));

/**
 * The same, after a cursor. All entries of a turn share its timestamp, so most turns are skipped without
 * building them.
 */
export const tailEntriesBehind = (
  tail: readonly TailTurn[],
  filter: ListFilter,
  order: Order,
  after: ListCursor | undefined,
): ListedFragment[] => {
  if (!after) return tailEntries(tail, filter);
  const atLeast = tail.filter(turn => compareCursors({ ...turn, id: after.id }, after, order) >= 0);
  return tailEntries(atLeast, filter).filter(({ cursor }) => compareCursors(cursor, after, order) > 0);
};

const turnEntries = (turn: TailTurn): ListedFragment[] => {
  const fragment = tailFragment(turn);
  return fragment ? [entryOf(turn, fragment)] : [];
};

const observationEntries = (
  turn: TailTurn,
  turnId: string | undefined,
  source: ListFilter['source'],
): ListedFragment[] =>
  (turnId ?? turn.id) === turn.id && (source ?? 'client') === 'client'
    ? tailObservations(turn).map(fragment => entryOf(turn, fragment))
    : [];

const entryOf = ({ user, session, timestamp, offset }: TailTurn, fragment: NewFragment): ListedFragment => ({
  cursor: { user, session, timestamp, offset, id: fragment.id },
  fragment,
});

const counted = (turns: readonly TailTurn[]): Pick<ListedSession, 'turns' | 'firstAt' | 'lastAt'> => {
  const times = turns.filter(({ active }) => active).map(({ timestamp }) => timestamp);
  return {
    turns: times.length,
    firstAt: times.length > 0 ? Math.min(...times) : null,
    lastAt: times.length > 0 ? Math.max(...times) : null,
  };
};

/**
 * Adds users that the index doesn't have yet to a page of users that it has; the counts of the latter follow
 * shortly.
 */
export const withTailUsers = (
  stored: readonly ListedUser[],
  tail: readonly TailTurn[],
  after: string | undefined,
  limit: number,
): ListedUser[] => {
  const known = new Set(stored.map(({ user }) => user));
  const fresh = Map.groupBy(
    tail.filter(({ user }) => !known.has(user) && (after === undefined || compareText(user, after) > 0)),
    ({ user }) => user,
  );
  const added = [...fresh].map(([user, turns]) => {
    const { turns: count, lastAt } = counted(turns);
    return { user, sessions: new Set(turns.map(({ session }) => session)).size, turns: count, lastAt };
  });
  return [...stored, ...added].sort((a, b) => compareText(a.user, b.user)).slice(0, limit);
};

const compareSessions = (
  a: { user: string; session: string },
  b: { user: string; session: string },
): number => compareText(a.user, b.user) || compareText(a.session, b.session);

/** The same for sessions. */
export const withTailSessions = (
  stored: readonly ListedSession[],
  tail: readonly TailTurn[],
  after: { user: string; session: string } | undefined,
  limit: number,
): ListedSession[] => {
  const nameOf = ({ user, session }: { user: string; session: string }) => JSON.stringify([user, session]);
  const known = new Set(stored.map(nameOf));
  const fresh = Map.groupBy(
    tail.filter(
      turn => !known.has(nameOf(turn)) && (after === undefined || compareSessions(turn, after) > 0),
    ),
    nameOf,
  );
  const added = [...fresh.values()].map(turns => {
    const { user, session } = turns[0]!;
    return { user, session, said: {}, ...counted(turns) };
  });
  return [...stored, ...added].sort(compareSessions).slice(0, limit);
};
