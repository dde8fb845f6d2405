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
  /** When `signal` is aborted it may throw anything: the turn is delivered again. */
  extract(turn: SpokenTurn, signal: AbortSignal): Promise<Extracted> | Extracted;
}

/** `givenUp`: it will never have facts of this turn. The reason is shown with the job: the kind of fault, never the turn's words. */
export type Extracted = Extraction | { givenUp: string };

/** What an extractor that asks another service has done since the start. */
export interface ExtractorState {
  requests: number;
  /** Requests without a usable answer. */
  faults: number;
  /** Turns. */
  givenUp: number;
  /** What it waits for; null while it waits for nothing. */
  waitsFor: string | null;
}
