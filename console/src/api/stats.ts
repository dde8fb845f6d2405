import { request } from './request.ts';
import type { Stats } from './types.ts';

/** Returns how much was said, learnt and asked by day: in the organization or, with a user, by that one. */
export const stats = (query: { user_id?: string; days: number }, signal?: AbortSignal) =>
  request<Stats>('/memory/stats', { query, signal });
