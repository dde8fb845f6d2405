import type { Span } from '../../../domain/language/passages.ts';
import type { Explanation } from '../../../domain/ranking/explain.ts';
import type { Deadline } from '../../timing/deadline.ts';
import type { TailTurn } from '../admission/admission.ts';
import type { Scope } from './scope.ts';
import type { KnownFact, StoredEntity, StoredFragment } from './turn-details.ts';

export type Kind = 'turn' | 'observation' | 'entity';

/** The fate of a fact that no longer holds, or of a turn that says nothing else on the question. */
export interface NoLonger {
  /** The observation that says what holds instead, or that it has ended. */
  by: string;
  /** Unix milliseconds; of an observation. */
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
  /** Every turn that it was found in, starting with the fragment's own. */
  sourceTurnIds: string[];
  noLonger?: NoLonger | undefined;
}

export interface ChosenTurn {
  kind: 'turn';
  score: number;
  explanation: Explanation | undefined;
  fragment: StoredFragment;
  passage?: number | undefined;
  part?: Span | undefined;
  noLonger?: NoLonger | undefined;
}

/** An entity by the name that it is listed under. */
export interface ChosenEntity extends Pick<StoredEntity, 'id' | 'label' | 'turnIds'> {
  /** Its id by a name that these turns say. */
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
  /** The moment at which is decided what holds, Unix milliseconds. */
  moment: number;
  /** `ever`: what no longer holds is found too, where it stands by its words. Default: as the question asks. */
  holds?: 'now' | 'ever' | undefined;
  /** Whether the result has the facts that a timeline needs; only where observations are asked for. */
  timeline?: boolean;
}

export interface SearchResult {
  /** Best first. */
  chosen: ChosenHit[];
  /** Current facts on the subjects of the hits and the question; those asked for come first. */
  holding: KnownFact[];
  /** Those for a context: `quotedTopK` of them, otherwise the same. */
  quoted: ChosenHit[];
  confidence: number;
  /** Whether a reranking model should have taken part and did not. */
  isNotReranked?: true;
  /** Observations extracted from the turns among the hits, if requested. */
  facts?: StoredFragment[];
}

/**
 * Chooses the hits of an answer; rendering and billing come later. Request and result are plain data, so they can pass
 * between threads. When the deadline's signal is aborted it rejects with the signal's reason. It rejects with `unavailable`
 * at once when it can't end before the deadline.
 */
export type Search = (request: SearchRequest, deadline?: Deadline) => Promise<SearchResult>;
