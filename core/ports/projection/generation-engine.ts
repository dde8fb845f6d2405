import type { Positions } from '../log/event-log.ts';

/**
 * The store of a projection's generations, as a replay uses it. `Row`: the type that the projection's fold
 * returns.
 */
export interface GenerationEngine<Row, Request> {
  /** Create an empty generation for a replay to fill, which is not read yet. Keep an existing one. */
  make(generation: number): Promise<void>;
  /** Return the requests that store these rows, as many as needed, to be sent in any order. */
  requests(rows: readonly Row[]): Request[];
  /** Whether everything before this request must be stored first. */
  waits?(request: Request): boolean;
  /**
   * Resolve when the request is stored, with the number of rows that the engine rejects permanently.
   * Idempotent.
   */
  send(generation: number, request: Request): Promise<number>;
  /** Make everything sent visible, with as many copies as a serving generation has. */
  finish(generation: number): Promise<void>;
  /** Switch reads to this generation in one step. */
  serve(generation: number): Promise<void>;
  /**
   * Return the next offsets up to which the generation holds the log, as the store itself records them; omit
   * a partition that the store doesn't name.
   */
  positions(generation: number, partitions: readonly string[]): Promise<Positions>;
  /** Store these positions beside the data, unless it holds higher ones. */
  mark(generation: number, positions: Positions): Promise<void>;
  /** Do nothing when the generation does not exist. */
  remove(generation: number): Promise<void>;
  bytes(generation: number): Promise<number>;
  /** The most requests that a replay may have in flight; with 1 they are sent in the order of the log. */
  inFlight: number;
}
