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
  /** Whether turns get a fragment. */
  active: boolean;
  /** Whether turns are enriched. */
  passive: boolean;
  /** When turns expire by themselves: Unix milliseconds. */
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
  /**
   * Tokens of a write's metadata: billed with its first fresh turn, so not at all when every turn is known.
   */
  metadataTokens?: number;
  /** The scope of a recall. Recalls are refused at the tokens_out cap, writes are not. */
  recall?: Scope;
  /** Aborts the wait for another attempt, with the signal's reason. */
  signal?: AbortSignal | undefined;
}

/**
 * A turn that an attempt claimed. When it takes over from another attempt, whose copy may be the first in the
 * log, the instant and options are those of the first attempt: the turn is written and answered with them.
 */
export interface FreshTurn extends WriteOptions {
  /** The instant to record it at, Unix milliseconds. */
  recordedAt: number;
  /** Tokens that its event bills: its own and, for the first fresh turn, those of the write's metadata. */
  tokens: number;
}

export type Admitted =
  | {
      kind: 'admitted';
      /** Fences `remember` and `release`. The records carry it in the header `attempt`. */
      attempt: string;
      /**
       * The turns that this attempt claimed, in the order of the request: as far as known, neither in the log
       * nor being appended.
       */
      fresh: ReadonlyMap<string, FreshTurn>;
      /** Known turns that were written without a fragment. */
      inactive: ReadonlySet<string>;
      /**
       * For a recall without `asOf`: acknowledged turns of its scope that an index may not contain yet, read
       * before the index is queried. A recall with `asOf` needs none: every index contains what was recorded
       * by then.
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

/** The turns, job or recall that an acknowledged append added to the log. */
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
  /** Set for a turn whose key was destroyed: it is only billed. */
  erasedTurn?: true;
}

export interface Admission {
  /**
   * In one atomic step: separate fresh turns from known ones, check the caps with the tokens of the fresh
   * ones, and either refuse (nothing changes) or claim them and reserve the tokens. Wait up to 5 s for
   * another attempt that holds one of the claims; then throw `unavailable`.
   */
  admit(request: AdmitRequest): Promise<Admitted>;
  /**
   * After the append: keep the claims, bill the tokens and add the turns to the tail. Resolve with the turns
   * that are billed to this attempt, since another attempt may have taken over, and the tokens that its
   * answer reports for each: if both attempts appended the turn with different tokens, the lower number,
   * because the log's first copy is billed.
   */
  remember(attempt: string, remembered: Remembered): Promise<ReadonlyMap<string, number>>;
  /** After an append that certainly did not happen: release the claims and the reserved tokens. */
  release(attempt: string): Promise<void>;
  /**
   * After an append of unknown outcome: keep claims and reserved tokens pending until a retry takes them
   * over, the projector finds the turns in the log, or they expire.
   */
  leave(attempt: string): Promise<void>;
  /** Return acknowledged turns of the scope that an index may not contain yet. */
  tail(scope: Scope): Promise<TailTurn[]>;
  /** Return those of these turns of a user that are in the tail, whatever else waits there. */
  waiting(org: string, user: string, turnIds: readonly string[]): Promise<TailTurn[]>;
  /**
   * Drop from the tail and the jobs everything sealed under a user's destroyed keys; never show records that
   * are remembered under one later, either. Keep claims and billed tokens: no new turn gets these ids.
   */
  erase(org: string, user: string): Promise<void>;
  /**
   * Drop a turn from the tail that every index has by now, since the tail may hold what the index hides. Keep
   * its claim and its billed tokens.
   */
  drop(org: string, user: string, turnId: string): Promise<void>;
  /** Return a job that the projection may not have yet. */
  job(org: string, id: string): Promise<Remembered['job']>;
}
