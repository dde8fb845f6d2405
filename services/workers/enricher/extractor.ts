/** A turn as an extractor sees it. */
export interface SpokenTurn {
  role: string;
  text: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
}

export interface Extraction {
  observations: { text: string }[];
  entities: { label: string; kind: string }[];
}

export interface Extractor {
  /** Name and version: part of the event's id. */
  version: string;
  source: 'rules' | 'llm';
  /** Most records whose facts share an append, where a turn takes so long that a restart should repeat few. */
  atOnce?: number;
  /**
   * Throws `GivenUp` for a turn that it will never have facts of. When `signal` is aborted it may throw anything: the
   * turn comes again.
   */
  extract(turn: SpokenTurn, signal: AbortSignal): Promise<Extraction> | Extraction;
}

/** An extractor has done with a turn that it got nothing of. */
export class GivenUp extends Error {
  /** `reason` goes to whoever asks for the job: the kind of fault, never the turn's words. */
  constructor(reason: string) {
    super(reason);
    this.name = 'GivenUp';
  }
}

/** What an extractor that asks another service has done since the start. */
export interface ExtractorState {
  requests: number;
  /** Requests that brought nothing that could be used. */
  faults: number;
  /** Turns. */
  givenUp: number;
  /** What keeps it from going on; null while nothing does. */
  waitsFor: string | null;
}
