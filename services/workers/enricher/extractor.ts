import type { SaidObservation } from '../../../schemas/facts.ts';
import type { ServiceCounts } from './patience.ts';

/** A turn as an extractor receives it. */
export interface SpokenTurn {
  role: string;
  text: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
  /** The speaker's offset from UTC, minutes to the east; undefined: days count in UTC. */
  utcOffset?: number | undefined;
  /** The turn before of the same session, if it asks and is at hand. */
  before?: { role: string; text: string } | undefined;
  /** The same speaker's turn before in the session, if it is at hand. */
  own?: string | undefined;
  /** Whether it has expired by now: then nothing is asked of anybody about it. */
  hasExpired?: () => boolean;
}

/** Why a turn that has expired is given up. */
export const EXPIRED = 'the turn has expired';

export interface Extraction {
  observations: SaidObservation[];
  entities: { label: string; kind: string }[];
}

export interface Extractor {
  /** Name and version; part of the event's id. */
  version: string;
  source: 'rules' | 'llm';
  /**
   * The most turns per append, unless a single record has more: for extractors so slow that a restart should
   * repeat few.
   */
  atOnce?: number;
  /** May throw anything once `signal` is aborted: the turn is delivered again. */
  extract(turn: SpokenTurn, signal: AbortSignal): Promise<Extracted> | Extracted;
}

/**
 * `givenUp`: no facts will ever come from this turn. The reason, shown with the job, never quotes the turn's
 * text.
 */
export type Extracted = Extraction | { givenUp: string };

/** The counters and state of an extractor that asks another service. */
export type ExtractorState = ServiceCounts;
