import type { Bears } from '../../../domain/context/bearing-facts.ts';
import type { Span } from '../../../domain/language/passages.ts';
import type { Explanation } from '../../../domain/ranking/explain.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { TailTurn } from '../admission/admission.ts';
import type { Scope } from './scope.ts';
import type { KnownFact, StoredEntity, StoredFragment } from './turn-details.ts';

export type Kind = 'turn' | 'observation' | 'entity';

/** The end of a fact, or of all that a turn says about the question. */
export interface NoLonger {
  /** The observation that states the current fact, or its end. */
  by: string;
  /** Unix milliseconds; set for an observation. */
  until?: number | undefined;
}

export interface ChosenObservation {
  kind: 'observation';
  score: number;
  /** The parts of the score, if requested. */
  explanation: Explanation | undefined;
  fragment: StoredFragment;
  /** Long texts: index of the best passage; `part` is its span, set after the search. */
  passage?: number | undefined;
  part?: Span | undefined;
  /** Every turn that contains it, starting with the fragment's own. */
  sourceTurnIds: string[];
  noLonger?: NoLonger | undefined;
  /** Observations that say otherwise, where nobody knows which of them holds. */
  disputedBy?: readonly string[] | undefined;
}

export interface ChosenTurn {
  kind: 'turn';
  score: number;
  explanation: Explanation | undefined;
  fragment: StoredFragment;
  passage?: number | undefined;
  part?: Span | undefined;
  noLonger?: NoLonger | undefined;
  /** Its own observations that state an attribute or resolve a date, the one that answers first. */
  observations?: readonly NestedObservation[] | undefined;
  /** Id of the turn that says another value now, if the ranking decided so and no fact. */
  later?: string | undefined;
}

/** An observation within the hit of its turn, which takes no place. */
export type NestedObservation = Pick<ChosenObservation, 'fragment' | 'noLonger' | 'disputedBy'>;

/** An entity by the name that it is listed under. */
export interface ChosenEntity extends Pick<StoredEntity, 'id' | 'label' | 'turnIds'> {
  /** Its id under the name that these turns use. */
  mentionedAs: string;
}

export type ChosenHit =
  | ChosenTurn
  | ChosenObservation
  | { kind: 'entity'; score: number; entity: ChosenEntity };

export interface SearchRequest {
  scope: Scope;
  q: string;
  mode: 'active' | 'deep';
  /** The question's vector, and the model that made it. */
  embedded?: { model: string; vector: Int8Array } | undefined;
  /** Acknowledged turns of the scope that the index may not contain yet, read before the search. */
  tail: readonly TailTurn[];
  kinds: readonly Kind[];
  topK: number;
  /** Hits for a context, if that takes more than `topK`. The `topK` best are not always the first of more. */
  quotedTopK?: number | undefined;
  /** Whether each hit explains its score. */
  explain?: boolean;
  /** The instant as of which facts are current: Unix milliseconds. */
  moment: number;
  /** Where the question is asked, minutes to the east of UTC: its days are counted there. Default: 0. */
  utcOffset?: number | undefined;
  /** `ever`: outdated facts are found too, ranked by their words. Default: as the question implies. */
  holds?: 'now' | 'ever' | undefined;
  /** Whether to return the facts that a timeline needs; only where observations are requested. */
  timeline?: boolean;
  /** Tokens of the context that is made of the answer; undefined without one. */
  contextTokens?: number | undefined;
}

/** A current fact, and why a context states it. */
export type HoldingFact = KnownFact & { bears: Bears };

export interface SearchResult {
  /** Best first. */
  chosen: ChosenHit[];
  /** Current facts for a context: those that bear on the question first. */
  holding: HoldingFact[];
  /** Hits for a context: `quotedTopK` of them, otherwise the same as `chosen`. */
  quoted: ChosenHit[];
  confidence: number;
  /** The models that should have taken part and did not. */
  without: readonly ('rerank' | 'reader')[];
  /** Observations extracted from the turns among the hits, if requested. */
  facts?: StoredFragment[];
}

/**
 * Choose the hits of an answer; rendering and billing come later. Request and result are plain data, so they
 * can pass between threads. Reject with the signal's reason when the deadline's signal is aborted, and with
 * `unavailable` at once when the search can't end before the deadline.
 */
export type Search = (request: SearchRequest, deadline?: Deadline) => Promise<SearchResult>;
