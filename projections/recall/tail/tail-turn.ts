/** An acknowledged turn, as recall needs it before the index shows it. */
export interface TailTurn {
  id: string;
  org: string;
  user: string;
  session: string;
  role: string;
  text: string;
  /** Unix milliseconds. */
  timestamp: number;
  /** Stored as a fragment: false keeps the identity alone. */
  active: boolean;
  /** To be enriched. */
  passive: boolean;
  observations: string[];
  /** Its sealing key. */
  keyId: string;
  /** Where the log holds it. */
  partition: number;
  offset: number;
}
