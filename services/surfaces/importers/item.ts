/** A turn as in the contract's body. */
export interface Turn {
  role: string;
  text: string;
  timestamp: string;
  observations?: unknown[];
}

/** A place in the input: a line number, or text (`conv-26 session_3, turn 5`). */
export type Place = number | string;

/** One item of the input: a turn with its scope, or what is wrong with it. */
export type Item = {
  place: Place;
  /** Bytes of the input that it accounts for. */
  size: number;
} & ({ turn: Turn; user?: string; session?: string } | { faults: string[] });
