import type { WritesOf } from '../../../projections/all.ts';
import { type Partition, partitionName } from '../../log/positions.ts';
import type { Logged } from '../admission/admission.ts';
import type { Positions } from '../log/event-log.ts';

/** The range of a partition that a batch covers: its first offset, and the next one after it. */
export interface LogRange extends Partition {
  from: number;
  next: number;
}

/** The writes of one projector step. Apply them completely, with the positions after them, or not at all. */
export interface ProjectedBatch extends WritesOf {
  /** Events for admission, when admission is a projection itself. */
  logged: Logged[];
  positions: Positions;
  /**
   * The range that the step covers, for a store of several engines, each of which tracks its own progress.
   */
  range?: LogRange;
}

/** A store that removes expired data. */
export interface Sweeping {
  /**
   * Remove in one step some of what had expired at `now` (Unix milliseconds). Resolve with whether there may
   * be more.
   */
  sweep(now: number): Promise<boolean>;
}

/** A session of which expired data was swept. */
export interface SweptSession {
  org: string;
  user: string;
  session: string;
  /** Private to the store: the sweeps of the session when it was taken. */
  state: string;
}

/** Finds the sessions that have nothing left. */
export interface SweptSessions {
  /**
   * Return some sessions that were swept since they were last examined, none of these organizations. Where
   * several processes share a store, give a session to no other process for `forMs` milliseconds.
   */
  take(most: number, forMs: number, leftOut?: readonly string[]): Promise<SweptSession[]>;
  /** Return how many sessions of the organization have a turn, or a swept one that no event lists. */
  sessions(org: string): Promise<number>;
  /**
   * Whether everything in the session had expired at `upTo` (Unix milliseconds) and no turn needs its key to
   * be billed, judged by all that was applied before the call.
   */
  isOver(session: SweptSession, upTo: number): Promise<boolean>;
  /**
   * Return the ids of its turns below this offset that nothing else keeps known once the session is removed.
   */
  turnIds(session: SweptSession, before: number): Promise<string[]>;
  /** Stop returning this session, unless more of it was swept since it was taken, or is swept later. */
  done(session: SweptSession): Promise<void>;
}

/** Writes that an engine rejects on every attempt. */
export type RefusedWrites = ReadonlySet<object>;

/**
 * The outcome of a batch. Only a `written` batch is committed. While any write is refused the positions don't
 * advance: the batch must be applied again without the refused writes.
 */
export type Written = { kind: 'written'; refused: RefusedWrites } | StoreBehind | WrongVersion;

export const ALL_WRITTEN: Written = { kind: 'written', refused: new Set() };

/**
 * The store no longer holds what it held before a batch: it was restored from an older copy, or lost writes.
 * Then nothing may be committed in any store.
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

/**
 * The generation is of another version, so the projector must not write to it and waits until an operator
 * acts. Nothing was written.
 */
export interface WrongVersion {
  kind: 'wrong version';
  reason: string;
}

export interface ProjectionStore {
  positions(): Promise<Positions>;
  apply(batch: ProjectedBatch): Promise<Written>;
  close(): Promise<void>;
}
