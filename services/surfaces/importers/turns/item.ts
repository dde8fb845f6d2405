/** A turn in the form of the contract's body. */
export interface Turn {
  role: string;
  text: string;
  timestamp: string;
  observations?: unknown[];
}

/** A location in the input: a line number, or text (`conv-26 session_3, turn 5`). */
export type Location = number | string;

/** An item of the input: a turn with its scope, or its faults. */
export type Item = {
  location: Location;
  /** Number of input bytes that it accounts for. */
  size: number;
} & (
  | { turn: Turn; user?: string; session?: string }
  | {
      faults: string[];
      /** Set if it isn't even a JSON object: the input may be of another format. */
      isForeign?: true;
    }
);
