import type { Language } from '../../../projections/language/language.ts';
import { ErasedMeanwhile } from '../../core/errors.ts';
import type { RecallIndex, Search } from '../../core/ports.ts';
import { chooseHits } from './hits.ts';
import { makeRetrieve } from './retrieve.ts';

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
