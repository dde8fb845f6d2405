import type { TailTurn } from '../../../projections/recall/tail/tail-turn.ts';
import type { Topic } from '../log/event-log.ts';
import type { Scope } from '../recall/scope.ts';

export type { TailTurn };

export interface Tokens {
  tokensIn: number;
  tokensOut: number;
}

/** Caps of an organization for a UTC day; 0: no cap. */
export type Caps = Tokens;

export interface WriteOptions {
  /** Whether a turn gets a fragment. */
  active: boolean;
  /** Whether it is enriched. */
  passive: boolean;
  /** When it expires by itself: Unix milliseconds. */
  expiresAt?: number | undefined;
}

export const DEFAULT_OPTIONS: WriteOptions = { active: true, passive: true };

export interface AdmitRequest {
  org: string;
  /** The user whose turns are claimed. */
  user?: string;
  /** Unix milliseconds. The call is billed to this instant's UTC day. */
  recordedAt: number;
  caps: Caps;
  /** Distinct turns that the call wants to write, with their tokens; empty for a recall. */
  claims: readonly { id: string; tokens: number; timestamp: number }[];
  /** The options that the claimed turns are written with; default: `DEFAULT_OPTIONS`. */
  options?: WriteOptions;
  /** Tokens of the call in addition to its claims: those of a query. */
  tokensIn: number;
  /** Tokens of a write's metadata: added to its first fresh turn, so nothing when all turns are known. */
  metadataTokens?: number;
  /** The scope of a recall. Recalls are refused at the tokens_out cap, writes are not. */
  recall?: Scope;
  /** Ends the wait for another attempt, with its reason. */
  signal?: AbortSignal | undefined;
}

/**
 * A turn that an attempt claimed. Where it takes over from another attempt, whose copy may be the first in the log, instant
 * and options are those of the first attempt: the turn is written and answered for with them.
 */
export interface FreshTurn extends WriteOptions {
  /** The instant to record it at, Unix milliseconds. */
  recordedAt: number;
  /** The tokens its event bills: its own and, for the first turn, those of the write's metadata. */
  tokens: number;
}

export type Admitted =
  | {
      kind: 'admitted';
      /** Fences `remember` and `release`. The records have it in the header `attempt`. */
      attempt: string;
      /**
       * The turns that this attempt claimed, in the order of the request: as far as known, neither in the log nor being
       * appended.
       */
      fresh: ReadonlyMap<string, FreshTurn>;
      /** Known turns that were written without a fragment. */
      inactive: ReadonlySet<string>;
      /**
       * For a recall without `asOf`: acknowledged turns of its scope that an index may not contain yet, read before the
       * index is queried. A recall with `asOf` needs none: every index contains what was recorded by then.
       */
      tail: TailTurn[];
    }
  | { kind: 'refused'; cap: 'tokens_in_daily' | 'tokens_out_daily'; used: number; limit: number };

/** A write: the turns that it named, and whether they are enriched. */
export interface Job {
  id: string;
  org: string;
  user: string;
  /** Undefined once it was erased. */
  session: string | undefined;
  turnIds: string[];
  passive: boolean;
}

/** The rows that an acknowledged append added to the log. */
export interface Remembered {
  turns: readonly TailTurn[];
  /** The write's row, kept until the projection has it. */
  job?: Job & { keyId: string; partition: number; offset: number };
  /** A metered recall; `id` is its event's id. */
  recall?: Tokens & { id: string; partition: number; offset: number };
}

/** The fields of a logged event that admission needs: what it bills and what it makes known. */
export interface Logged {
  /** The event's id. */
  id: string;
  topic: Topic;
  partition: number;
  offset: number;
  /** The attempt that appended it. */
  attempt?: string | undefined;
  org: string;
  /** UTC day that it is billed to. */
  day: string;
  tokens: Tokens;
  turn?: TailTurn;
  job?: NonNullable<Remembered['job']>;
  /** The turn or observation that a retraction hides. */
  hides?: { turnId: string; observationId: string | undefined };
  /** Set for a turn whose key was destroyed: it is billed, but nothing else. */
  erasedTurn?: true;
}

export interface Admission {
  /**
   * One atomic step: separates fresh turns from known ones, checks the caps with the tokens of the fresh ones, and either
   * refuses (nothing changes) or claims them and reserves the tokens. Waits up to 5 s for another attempt that holds one
   * of the claims; then throws `unavailable`.
   */
  admit(request: AdmitRequest): Promise<Admitted>;
  /**
   * After the append: keeps the claims, bills the tokens and adds the turns to the tail. Resolves with the turns that are
   * billed to this attempt, since another attempt may have taken over, and the tokens that its answer reports for each: if
   * both attempts appended the turn with different tokens, the lower number, because the log's first copy is billed.
   */
  remember(attempt: string, remembered: Remembered): Promise<ReadonlyMap<string, number>>;
  /** For an append that certainly did not happen: releases the claims and the reserved tokens. */
  release(attempt: string): Promise<void>;
  /**
   * For an append of unknown end: claims and reserved tokens stay pending until a retry takes them over, the projector
   * finds the turns in the log, or they expire.
   */
  leave(attempt: string): Promise<void>;
  /** Acknowledged turns of the scope that an index may not contain yet. */
  tail(scope: Scope): Promise<TailTurn[]>;
  /** Those of these turns of a user that are in the tail, whatever else waits there. */
  waiting(org: string, user: string, turnIds: readonly string[]): Promise<TailTurn[]>;
  /**
   * Drops from the tail and the jobs what is sealed under destroyed keys of a user. What is remembered under one later is not
   * shown either. Claims and billed tokens stay: no new turn gets these ids.
   */
  erase(org: string, user: string): Promise<void>;
  /**
   * Drops a turn from the tail that every index has by now, since it may hold what the index hides. Its claim and its billed tokens
   * stay.
   */
  drop(org: string, user: string, turnId: string): Promise<void>;
  /** A job that the projection may not have yet. */
  job(org: string, id: string): Promise<Remembered['job']>;
}
