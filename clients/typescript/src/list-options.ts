/** Arguments of the lists of what is stored. */
import type { Instant } from './inputs.ts';
import type { CallOptions, ReadOptions } from './options.ts';
import type { Filter } from './types.ts';

export interface ListOptions extends CallOptions {
  /**
   * Words to look for: the items that have them, the best first, at most 1,000, each with a `match`. Not together
   * with `sort` or `order`.
   */
  q?: string | undefined;
  /** Items per request, 1 to 200. Default: 50. */
  pageSize?: number | undefined;
  /** Only turns whose metadata passes, and what was found in them. */
  filter?: Filter | undefined;
}

/** `last_at`: by the last turn, the newest first; what gets a turn meanwhile may be missed. Default: `id`. */
export type ListSort = 'id' | 'last_at';

export interface UsersOptions extends ListOptions {
  sort?: ListSort | undefined;
}

export interface SessionsOptions extends ListOptions, Omit<ReadOptions, 'session'> {
  sort?: ListSort | undefined;
}

export interface TurnsOptions extends ListOptions, ReadOptions {
  role?: string | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
  /** By time. Default: `asc`. */
  order?: 'asc' | 'desc' | undefined;
}

export interface ObservationsOptions extends ListOptions, ReadOptions {
  turnId?: string | undefined;
  source?: 'client' | 'rules' | 'llm' | undefined;
  since?: Instant | undefined;
  until?: Instant | undefined;
}

export interface EntitiesOptions extends ListOptions, ReadOptions {
  turnId?: string | undefined;
  kind?: string | undefined;
}

export interface FactsOptions extends ListOptions, ReadOptions {
  /** Only of this subject: an entity's id, or a name. */
  subject?: string | undefined;
  /** Only facts whose value names this, so what it is to others: an entity's id, or a name. */
  value?: string | undefined;
  /** Only this attribute, such as `home`. */
  attribute?: string | undefined;
  /** `ever`: also what held before. Default: `now`. */
  holds?: 'now' | 'ever' | undefined;
  /** Facts that held at this time, from what was recorded by then. */
  asOf?: Instant | undefined;
}

export interface StatsOptions extends CallOptions, Omit<ReadOptions, 'session'> {
  /** So many days, up to and with the current one in UTC: 1 to 366. Default: 30. */
  days?: number | undefined;
}
