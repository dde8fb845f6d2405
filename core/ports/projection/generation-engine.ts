import type { Positions } from '../log/event-log.ts';

/** The store of a projection's generations, as a replay uses it. `Row`: the type that the projection's fold returns. */
export interface GenerationEngine<Row, Request> {
  /** Creates an empty generation that is not read yet, for a replay to fill. Keeps an existing one. */
  make(generation: number): Promise<void>;
  /** The requests that store these rows, as many as needed. They may be sent in any order. */
  requests(rows: readonly Row[]): Request[];
  /** Whether the request must not be sent before everything before it is stored. */
  waits?(request: Request): boolean;
  /** Resolves when the request is stored, with the number of rows that the engine rejects permanently. Idempotent. */
  send(generation: number, request: Request): Promise<number>;
  /** Makes everything sent visible, with as many copies as a serving generation has. */
  finish(generation: number): Promise<void>;
  /** Switches reads to this generation in one step. */
  serve(generation: number): Promise<void>;
  /**
   * Next offsets up to which the generation holds the log, as the store itself says; a partition that it doesn't name is
   * missing.
   */
  positions(generation: number, partitions: readonly string[]): Promise<Positions>;
  /** Stores these positions beside the data, unless it holds higher ones. */
  mark(generation: number, positions: Positions): Promise<void>;
  /** Does nothing when the generation does not exist. */
  remove(generation: number): Promise<void>;
  bytes(generation: number): Promise<number>;
  /** The most requests that a replay may have in flight; with 1 they are sent in the order of the log. */
  inFlight: number;
}
