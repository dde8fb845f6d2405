import { useRef } from 'react';
import { users } from '../api/calls.ts';
import { findFacts, findNames, findSessions, findTurns, findUsers } from '../api/lists/find.ts';
import type { UserItem } from '../api/types.ts';
import { useLoad } from '../api/use-load.ts';
import { useSettled } from '../api/use-settled.ts';
import { type Found, isLike } from './listing.ts';

/** Letters from which on the service is asked. */
const LEAST = 2;
const MOST_USERS = 5;

interface Searched {
  found: Found;
  /** Lists that could not be asked. */
  failed: number;
}

const NOTHING: Searched = { found: {}, failed: 0 };

const search = async (q: string, signal: AbortSignal): Promise<Searched> => {
  const asked = [findUsers, findSessions, findTurns, findFacts, findNames].map(find => find({ q }, signal));
  const answers = await Promise.allSettled(asked as Promise<never[]>[]);
  const [foundUsers, sessions, turns, facts, names] = answers.map(answer =>
    answer.status === 'fulfilled' ? answer.value : undefined,
  );
  return {
    found: { users: foundUsers, sessions, turns, facts, names },
    failed: answers.filter(({ status }) => status === 'rejected').length,
  };
};

/** Returns users whose id begins as it is typed, then those that have the words. */
const withRecent = (typed: string, recent: readonly UserItem[], found: readonly UserItem[]): UserItem[] => {
  const begun = recent.filter(({ user_id }) => isLike(user_id, typed)).slice(0, MOST_USERS);
  const ids = new Set(begun.map(({ user_id }) => user_id));
  return [...begun, ...found.filter(({ user_id }) => !ids.has(user_id))].slice(0, MOST_USERS);
};

/** Finds what was typed; what was found before stays until the next answer. */
export const useFound = (typed: string, mayRead: boolean): Searched & { loading: boolean } => {
  const q = useSettled(typed.trim());
  const recent = useLoad('recent users', async signal =>
    mayRead ? (await users({ limit: 200 }, signal)).users : [],
  );
  const isAsked = mayRead && q.length >= LEAST;
  const asked = useLoad(isAsked ? q : '', signal => (isAsked ? search(q, signal) : Promise.resolve(NOTHING)));
  const last = useRef(NOTHING);
  if (asked.value) last.current = asked.value;
  const { found, failed } = typed.trim() === '' ? NOTHING : last.current;
  return {
    found: { ...found, users: withRecent(typed, recent.value ?? [], found.users ?? []) },
    failed,
    loading: typed.trim() !== q || asked.state === 'loading',
  };
};
