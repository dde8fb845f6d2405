import type { TailTurn } from '../../../projections/recall/tail/tail-turn.ts';
import type { Topic } from './event-log.ts';
import type { Scope } from './scope.ts';

export type { TailTurn };

export interface Tokens {
  tokensIn: number;
  tokensOut: number;
}

/** Caps of an organization for a UTC day; 0: none. */
export type Caps = Tokens;

export interface AdmitRequest {
  org: string;
  /** Whose turns are claimed. */
  user?: string;
  /** Unix milliseconds. Its UTC day is the one that the call is billed to. */
  recordedAt: number;
  caps: Caps;
  /** Distinct turns that the call wants to write, with their tokens; empty for a recall. */
  claims: readonly { id: string; tokens: number; timestamp: number }[];
  /** Tokens of the call beside its claims: those of a query. */
  tokensIn: number;
  /** The scope of a recall. Recalls are refused at the tokens_out cap, writes are not. */
  recall?: Scope;
}

export type Admitted =
  | {
      kind: 'admitted';
      /** Fences `remember` and `release`. The records carry it in the header `attempt`. */
      attempt: string;
      /**
       * Claimed by this attempt: as far as is known, neither in the log nor being appended. With the instant (Unix
       * milliseconds) to record each at: that of the first attempt when this one takes over from another.
       */
      fresh: ReadonlyMap<string, number>;
      /** Known turns that were written without a fragment. */
      inactive: ReadonlySet<string>;
      /**
       * For a recall without `asOf`: acknowledged turns of its scope that an index may not contain yet, read before the
       * index is queried. What was recorded by an earlier instant is in every index.
       */
      tail: TailTurn[];
    }
  | { kind: 'refused'; cap: 'tokens_in_daily' | 'tokens_out_daily'; used: number; limit: number };

/** A write: which turns it named, and whether they are enriched. */
export interface Job {
  id: string;
  org: string;
  user: string;
  turnIds: string[];
  passive: boolean;
}

/** What an acknowledged append put into the log. */
export interface Remembered {
  turns: readonly TailTurn[];
  /** The write's row, until the projection has it. */
  job?: Job & { keyId: string; partition: number; offset: number };
  /** A metered recall, by its event's id. */
  recall?: Tokens & { id: string; partition: number; offset: number };
}

/** An event of the log as admission needs it: what it bills, and what it makes known. */
export interface Logged {
  /** The event's. */
  id: string;
  topic: Topic;
  partition: number;
  offset: number;
  /** Which attempt appended it. */
  attempt?: string | undefined;
  org: string;
  /** UTC day that it is billed to. */
  day: string;
  tokens: Tokens;
  turn?: TailTurn;
  job?: NonNullable<Remembered['job']>;
  /** A turn whose key was destroyed: it is billed, and nothing else. */
  erasedTurn?: true;
}

export interface Admission {
  /**
   * One atomic step: separates fresh turns from known ones, checks the caps with the fresh ones' tokens, and either
   * refuses (nothing changes) or claims them and reserves the tokens. Waits up to 5 s for another attempt that holds
   * one of the claims; then `unavailable`.
   */
  admit(request: AdmitRequest): Promise<Admitted>;
  /**
   * After the append: keeps the claims, bills the tokens and adds the turns to the tail. Resolves with the turns that
   * are billed to this attempt: another one may have taken over.
   */
  remember(attempt: string, remembered: Remembered): Promise<ReadonlySet<string>>;
  /** For an append that certainly did not happen: releases the claims and the reserved tokens. */
  release(attempt: string): Promise<void>;
  /** Acknowledged turns of the scope that an index may not contain yet. */
  tail(scope: Scope): Promise<TailTurn[]>;
  /**
   * Drops from the tail and the jobs what was sealed under these keys of a user, including what is remembered later.
   * Claims and billed tokens stay: no turn will have these ids again.
   */
  erase(org: string, user: string, keyIds: readonly string[]): Promise<void>;
  /** A job that the projection may not have yet. */
  job(org: string, id: string): Promise<Remembered['job']>;
}
