import type { Partition } from '../../log/positions.ts';

/**
 * Keep the erasures that were begun and may not be applied everywhere, for all processes that answer calls:
 * once its keys are destroyed, nothing else tells that somebody was there.
 */
export interface BegunErasures {
  /**
   * Keep the partitions that may have words of a scope, for a day; also when there is no room for anything
   * else.
   */
  begin(scope: BegunErasure, partitions: readonly Partition[]): Promise<void>;
  /** Resolve with the partitions of the last erasure of this scope that has not ended; none: with none. */
  begun(scope: BegunErasure): Promise<readonly Partition[]>;
  end(scope: BegunErasure): Promise<void>;
}

export interface BegunErasure {
  org: string;
  user: string;
  /** Undefined: all of the user's sessions. */
  session?: string | undefined;
}
