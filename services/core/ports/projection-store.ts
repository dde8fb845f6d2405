import type { WritesOf } from '../../../projections/all.ts';
import type { Logged } from './admission.ts';
import type { Positions } from './event-log.ts';
import type { LogRange } from './store-behind.ts';

/** What one step of the projector writes: applied completely, with the positions after it, or not at all. */
export interface ProjectedBatch extends WritesOf {
  /** What admission learns from the log, when admission is a projection itself. */
  logged: Logged[];
  positions: Positions;
  /** What the step was made of, in a store of several engines, each of which holds how far it is. */
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

export const NONE_REFUSED: RefusedWrites = new Set();

export interface ProjectionStore {
  positions(): Promise<Positions>;
  /** While any write is refused the positions don't advance: the batch must be applied again without the refused writes. */
  apply(batch: ProjectedBatch): Promise<RefusedWrites>;
  close(): Promise<void>;
}
