import type { Tokens } from '../admission/admission.ts';

/** By what usage is split. */
export type SplitBy = 'user' | 'session' | 'key';

export interface SplitAsked {
  by: SplitBy;
  /** UTC days, YYYY-MM-DD, inclusive. */
  from: string;
  to: string;
  /** One user's alone; undefined: everybody's. */
  user?: string | undefined;
  /** How many groups to tell apart. */
  most: number;
}

export type TokensByDay = ReadonlyMap<string, Tokens>;

/** One user, one session of a user, or one key. */
export interface SplitGroup {
  user?: string;
  /** null: what names no session. */
  session?: string | null;
  /** null: what names no key. */
  key?: string | null;
  days: TokensByDay;
}

export interface UsageSplit {
  /** Those with the most tokens, in and out, in all of the days. */
  groups: readonly SplitGroup[];
  /** All other groups together. */
  other: TokensByDay;
  /** Tokens of users and sessions that nothing names any more. A key is named by its id, and stays. */
  erased: TokensByDay;
}

/**
 * Return the tokens that these days billed, as far as they are projected: each event in one group, in `other`
 * or, unless one user's are asked for, in `erased`. A day without any may be missing.
 */
export type SplitUsage = (org: string, asked: SplitAsked) => Promise<UsageSplit>;
