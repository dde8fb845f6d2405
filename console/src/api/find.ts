/** Searches of the lists by words: users, conversations, turns, facts and names. */
import { request } from './request.ts';
import type { EntityItem, ObservationItem, Page, SessionItem, TurnItem, UserItem } from './types.ts';

/** Returns of each list the best few; without a user those of all that the key may see. */
export interface FindQuery {
  q: string;
  user_id?: string | undefined;
  limit?: number;
}

const list =
  <Name extends string, Item>(name: Name) =>
  async (query: FindQuery, signal?: AbortSignal): Promise<Item[]> =>
    (await request<Page<Name, Item>>(`/memory/${name}`, { query: { limit: 5, ...query }, signal }))[name];

export const findUsers = list<'users', UserItem>('users');
export const findSessions = list<'sessions', SessionItem>('sessions');
export const findTurns = list<'turns', TurnItem>('turns');
export const findFacts = list<'observations', ObservationItem>('observations');
export const findNames = list<'entities', EntityItem>('entities');
