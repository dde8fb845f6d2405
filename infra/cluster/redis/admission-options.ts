import type { Positions } from '../../../services/core/ports.ts';
import type { RedisGate } from './gate.ts';

/** What a rebuild passes to every process (rebuild.ts). */
export interface RebuiltFrom {
  /** The projections' positions at the rebuild: what lies below is settled and billed. */
  floor: Positions;
  /** Unix milliseconds. Until then an unclaimed turn may be a known one whose claim was lost. */
  lookUpUntil: number;
}

export interface RedisAdmissionOptions {
  gate: Pick<RedisGate<RebuiltFrom>, 'redis' | 'generation' | 'confirm' | 'closedAt'>;
  namespace: string;
  /** Unix milliseconds. */
  clock: () => number;
  /** The turns that the recall index has, and whether they have a fragment; realtime. */
  isIndexed: (org: string, user: string, ids: readonly string[]) => Promise<ReadonlyMap<string, boolean>>;
  /** Partitions of the topic `turns`. */
  partitions: number;
  /** Turns in the tail of an organization from which on its writes are `unavailable`. */
  mostTail: number;
  /** Milliseconds, for tests. */
  holdMs?: number;
  reserveMs?: number;
  rememberForMs?: number;
}
