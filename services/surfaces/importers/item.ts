/** A turn as the contract's body has it. */
export interface Turn {
  role: string;
  text: string;
  timestamp: string;
  observations?: unknown[];
}

/** Where something stands in the input: a line's number, or words (`conv-26 session_3, turn 5`). */
export type Place = number | string;

/** One thing read from the input: a turn with its partition, or what is wrong with it. */
export type Item = {
  place: Place;
  /** Bytes of the input that it stands for. */
  size: number;
} & ({ turn: Turn; user?: string; session?: string } | { faults: string[] });
