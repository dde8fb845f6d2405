import type { Positions } from '../../../../core/ports.ts';
import type { RedisGate } from '../gate/gate.ts';
import type { SealedTail } from './sealed-tail.ts';

/** The result of a rebuild that every process receives (rebuild.ts). */
export interface RebuiltFrom {
  /** The projections' positions at the rebuild: everything below is settled and billed. */
  floor: Positions;
  /**
   * Unix milliseconds on Redis's clock. Until then, a turn without a claim may be a known one whose claim was
   * lost.
   */
  lookUpUntil: number;
}

export interface RedisAdmissionOptions {
  gate: Pick<RedisGate<RebuiltFrom>, 'redis' | 'generation' | 'confirm' | 'closedAt'>;
  namespace: string;
  tail: SealedTail;
  /** Unix milliseconds. */
  clock: () => number;
  /**
   * Returns the turns that the recall index has, with whether they have a fragment. Includes unrefreshed
   * turns.
   */
  isIndexed: (org: string, user: string, ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;
  /** Partitions of the topic `turns`. */
  partitions: number;
  /**
   * The size of an organization's tail, in turns and in bytes of turns and jobs, from which on its writes are
   * `unavailable`.
   */
  mostTail: number;
  mostTailBytes: number;
  /** Milliseconds, for tests. */
  holdMs?: number;
  reserveMs?: number;
  rememberForMs?: number;
}
