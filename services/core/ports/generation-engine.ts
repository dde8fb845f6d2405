/** The store of a projection's generations, as a replay uses it. `Row`: what the projection's fold returns. */
export interface GenerationEngine<Row, Request> {
  /** Makes it, empty and unread, for a replay to fill. Leaves one that exists. */
  make(generation: number): Promise<void>;
  /** As many requests as the rows take. They may be sent in any order. */
  requests(rows: readonly Row[]): Request[];
  /** Whether it must be sent after everything before it is stored. */
  waits?(request: Request): boolean;
  /** Stored when it resolves, with the number of rows that the engine rejects for good. Idempotent. */
  send(generation: number, request: Request): Promise<number>;
  /** Makes everything sent visible, with as many copies as a serving generation has. */
  finish(generation: number): Promise<void>;
  /** Switches reads to it in one step. */
  serve(generation: number): Promise<void>;
  /** Does nothing when it does not exist. */
  remove(generation: number): Promise<void>;
  bytes(generation: number): Promise<number>;
  /** Requests that a replay may have in flight; with 1 they are sent in the order of the log. */
  inFlight: number;
}
