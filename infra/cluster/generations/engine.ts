/** What a replay asks of the engine that keeps a projection's generations. `Row`: what the projection's fold gives. */
export interface GenerationEngine<Row, Request> {
  /** Makes it, empty, for a replay to fill: nobody reads it. What is there is left. */
  make(generation: number): Promise<void>;
  /** As many requests as the rows take, in any order of which they may be sent. */
  requests(rows: readonly Row[]): Request[];
  /** To be sent when all that was sent before it is stored. */
  waits?(request: Request): boolean;
  /** Stored when it resolves, with the number of rows that the engine won't ever take. May be repeated. */
  send(generation: number, request: Request): Promise<number>;
  /** All that was sent is shown, and it has as many copies as one that is served. */
  finish(generation: number): Promise<void>;
  /** Reads go to it from one moment on. */
  serve(generation: number): Promise<void>;
  /** Of one that isn't there: nothing. */
  remove(generation: number): Promise<void>;
  bytes(generation: number): Promise<number>;
}
