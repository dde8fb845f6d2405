import type { Explanation } from '../../../projections/ranking/explain.ts';
import type { TailTurn } from './admission.ts';
import type { StoredEntity, StoredFragment } from './recall-index.ts';
import type { Scope } from './scope.ts';

export type Kind = 'turn' | 'observation' | 'entity';

export interface ChosenObservation {
  kind: 'observation';
  score: number;
  /** What made the score, where that was asked for. */
  explanation: Explanation | undefined;
  fragment: StoredFragment;
  /** Every turn that it was found in: first the fragment's own. */
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
  /** Acknowledged turns of the scope that the index may not show yet; read before the search. */
  tail: readonly TailTurn[];
  kinds: readonly Kind[];
  topK: number;
  /** Whether each hit tells what made its score. */
  explain?: boolean;
}

export interface SearchResult {
  /** The best first. */
  chosen: ChosenHit[];
  confidence: number;
}

/** What to answer, before it is worded and billed. Request and result are plain data: they may pass between threads. */
export type Search = (request: SearchRequest) => Promise<SearchResult>;
