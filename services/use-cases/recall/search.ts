import type { Language } from '../../../projections/language/language.ts';
import { ErasedMeanwhile } from '../../core/errors.ts';
import type { RecallIndex, Scope, TailTurn } from '../../core/ports.ts';
import { type ChosenHit, chooseHits, type Kind } from './hits.ts';
import { makeRetrieve } from './retrieve.ts';

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

export interface SearchPorts {
  index: Pick<RecallIndex, 'retrieve' | 'observationsOf' | 'entitiesOf'>;
  language: Pick<Language, 'analyse' | 'analyseQuery'>;
}

export const makeSearch = (ports: SearchPorts): Search => {
  const retrieve = makeRetrieve(ports);
  const search: Search = async ({ scope, q, mode, tail, kinds, topK, explain }) => {
    const retrieved = await retrieve(scope, q, mode, tail);
    const chosen = await chooseHits(ports, scope, retrieved, new Set(kinds), topK, explain);
    return { chosen, confidence: retrieved.confidence };
  };
  return request =>
    search(request).catch(error => {
      // An erasure came between finding and reading; another in the same moment is a fault like any other.
      if (error instanceof ErasedMeanwhile) return search(request);
      throw error;
    });
};
