import type { WritesOf } from '../../../projections/all.ts';
import { type Partition, partitionName } from '../../log/positions.ts';
import type { Logged } from '../admission/admission.ts';
import type { Positions } from '../log/event-log.ts';

/** The part of a partition that a batch was made of: its first offset, and the next one after it. */
export interface LogRange extends Partition {
  from: number;
  next: number;
}

/** The writes of one projector step: apply all of them with the positions after it, or none. */
export interface ProjectedBatch extends WritesOf {
  /** Events for admission, where admission is itself a projection. */
  logged: Logged[];
  positions: Positions;
  /** The log range of the step, for a store of several engines that each keep their own position. */
  range?: LogRange;
}

/** A store that removes what has expired. */
export interface Sweeping {
  /** One step of it, for what had expired at `now` (Unix milliseconds). Resolves with whether there may be more. */
  sweep(now: number): Promise<boolean>;
}

/** A session of which something has expired and was swept. */
export interface SweptSession {
  org: string;
  user: string;
  session: string;
  /** The store's own: what was swept of it when it was taken. */
  state: string;
}

/** Which sessions have nothing left. */
export interface SweptSessions {
  /**
   * Some sessions of which something was swept since they were last looked at. One that is given to this caller is given to no other
   * process for `forMs` milliseconds, where several share a store.
   */
  take(most: number, forMs: number): Promise<SweptSession[]>;
  /**
   * Whether all that the session has said has expired, and none of its turns needs a key to be billed. By all that was applied before
   * the call.
   */
  isOver(session: SweptSession): Promise<boolean>;
  /** The ids of its turns below this offset that nothing else keeps known once the session is removed. */
  turnIds(session: SweptSession, before: number): Promise<string[]>;
  /** It isn't given any more, unless something else of it was swept since it was taken, or is later. */
  done(session: SweptSession): Promise<void>;
}

/** Writes that an engine rejects on every attempt. */
export type RefusedWrites = ReadonlySet<object>;

/**
 * The outcome of a batch. Only one that is `written` is committed. While any write of it is refused the positions don't
 * advance: it must be applied again without the refused writes.
 */
export type Written = { kind: 'written'; refused: RefusedWrites } | StoreBehind | WrongVersion;

export const ALL_WRITTEN: Written = { kind: 'written', refused: new Set() };

/**
 * A store that held the log up to a batch no longer does: it was restored from an older copy, or lost what was written.
 * Nothing may be committed then, in whichever store it was found.
 */
export interface StoreBehind {
  kind: 'behind';
  /** The next offset that the store lacks. */
  offset: number;
  reason: string;
}

export const storeBehind = (
  projection: string,
  { from, ...partition }: LogRange,
  offset: number,
): StoreBehind => {
  const name = partitionName(partition);
  const reason = `The store of ${projection} holds ${name} up to ${offset}, and held it up to ${from}.`;
  return { kind: 'behind', offset, reason };
};

/** A projector must not write to a generation of another version: it waits until an operator has acted. Nothing was written. */
export interface WrongVersion {
  kind: 'wrong version';
  reason: string;
}

export interface ProjectionStore {
  positions(): Promise<Positions>;
  apply(batch: ProjectedBatch): Promise<Written>;
  close(): Promise<void>;
}
