import type { Said } from '../fragment.ts';

/** An acknowledged turn, as recall needs it until it is indexed. */
export interface TailTurn extends Said {
  id: string;
  org: string;
  text: string;
  /** Stored as a fragment; false: only its identity is kept. */
  active: boolean;
  /** To be enriched. */
  passive: boolean;
  observations: string[];
  /** Its sealing key. */
  keyId: string;
  /** Its position in the log. */
  partition: number;
  offset: number;
}
