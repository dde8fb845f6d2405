import type { Explanation } from '../../../projections/ranking/explain.ts';
import type { Deadline } from '../deadline.ts';
import type { TailTurn } from './admission.ts';
import type { StoredEntity, StoredFragment } from './recall-index.ts';
import type { Scope } from './scope.ts';

export type Kind = 'turn' | 'observation' | 'entity';

export interface ChosenObservation {
  kind: 'observation';
  score: number;
  /** The parts of the score, if requested. */
  explanation: Explanation | undefined;
  fragment: StoredFragment;
  /** Every turn that it was found in, starting with the fragment's own. */
  sourceTurnIds: string[];
}

export type ChosenHit =
  | { kind: 'turn'; score: number; explanation: Explanation | undefined; fragment: StoredFragment }
  | ChosenObservation
  | { kind: 'entity'; score: number; entity: Pick<StoredEntity, 'id' | 'label'> };

export interface SearchRequest {
  scope: Scope;
  q: string;
  mode: 'active' | 'deep';
  /** Acknowledged turns of the scope that the index may not contain yet, read before the search. */
  tail: readonly TailTurn[];
  kinds: readonly Kind[];
  topK: number;
  /** Hits for a context, if that takes more than `topK`. The `topK` best are not always the first of more. */
  quotedTopK?: number | undefined;
  /** Whether each hit explains its score. */
  explain?: boolean;
}

export interface SearchResult {
  /** Best first. */
  chosen: ChosenHit[];
  /** Those for a context: `quotedTopK` of them, otherwise the same. */
  quoted: ChosenHit[];
  confidence: number;
}

/**
 * Chooses the hits of an answer; rendering and billing come later. Request and result are plain data, so they can pass
 * between threads. When the deadline's signal is aborted it rejects with the signal's reason. It rejects with `unavailable`
 * at once when it can't end before the deadline.
 */
export type Search = (request: SearchRequest, deadline?: Deadline) => Promise<SearchResult>;
