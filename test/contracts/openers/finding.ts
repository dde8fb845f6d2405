import type { Find } from '../../../core/ports.ts';
import { makeFindWords } from '../../../services/use-cases/recall/find-words.ts';
import { language } from './embedded.ts';
import type { RecallIndex } from './projections.ts';

/** Finds words in an index, in the thread of the test. */
export const findIn = (index: Pick<RecallIndex, 'retrieve' | 'fragments' | 'observationsOf'>): Find =>
  makeFindWords({ retrieval: index as RecallIndex, details: index, language: language() });
