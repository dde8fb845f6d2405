/** Searches of the lists by words: users, conversations, turns, facts and names. */
import { request } from '../request.ts';
import type { EntityItem, ObservationItem, Page, SessionItem, TurnItem, UserItem } from '../types.ts';

interface FindQuery {
  q: string;
  limit?: number;
}

/** Returns a function that gives the best few items of a list, of all that the key may see. */
const list =
  <Name extends string, Item>(name: Name) =>
  async (query: FindQuery, signal?: AbortSignal): Promise<Item[]> =>
    (await request<Page<Name, Item>>(`/memory/${name}`, { query: { limit: 5, ...query }, signal }))[name];

export const findUsers = list<'users', UserItem>('users');
export const findSessions = list<'sessions', SessionItem>('sessions');
export const findTurns = list<'turns', TurnItem>('turns');
export const findFacts = list<'observations', ObservationItem>('observations');
export const findNames = list<'entities', EntityItem>('entities');
