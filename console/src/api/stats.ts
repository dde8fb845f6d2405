/** How much was said, learnt and asked by day: of the organization, or of one user. */
import { request } from './request.ts';

interface StatsDay {
  /** YYYY-MM-DD, in UTC. */
  day: string;
  turns: number;
  users: number;
  sessions: number;
  facts: number;
  recalls: number;
}

export interface Stats {
  /** Every day in order, the current one last. */
  days: StatsDay[];
  /** Recalls by how long they took. `up_to`: milliseconds, inclusive; null for the last bin. */
  latency_ms: { up_to: number | null; recalls: number }[];
  /** Recalls by the confidence of their answers. */
  confidence: { from: number; to: number; recalls: number }[];
}

export const stats = (query: { user_id?: string; days: number }, signal?: AbortSignal) =>
  request<Stats>('/memory/stats', { query, signal });
