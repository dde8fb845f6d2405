import type { Query } from '../../language/language.ts';
import { PASSAGE_WORDS } from '../../language/passages.ts';
import { inverseFrequency } from '../../search/bm25.ts';
import type { ScopeStatistics } from '../../search/document.ts';

/** Weights of the query's stems in the searched scope; arrays are in the order of `Query.stems`. */
export interface ScopeWeights {
  /** ln(1 + (N - n + .5) / (n + .5)) over the scope's turns, as in Lucene's BM25. */
  idf: Float64Array;
  /** 0 to 1: idf divided by its maximum, to the third power; 1 for a stem that occurs in a single turn. */
  rareness: Float64Array;
  /** Like `idf`, over the scope's sessions. */
  sessionIdf: Float64Array;
  /** Sums of `idf` and `sessionIdf`. */
  idfSum: number;
  sessionIdfSum: number;
  meanLength: number;
  meanSessionLength: number;
}

export const scopeWeights = (query: Query, statistics: ScopeStatistics): ScopeWeights => {
  const idf = Float64Array.from(query.stems, stem =>
    inverseFrequency(statistics.turns, statistics.turnsWith(stem)),
  );
  const sessionIdf = Float64Array.from(query.stems, stem =>
    inverseFrequency(statistics.sessions, statistics.sessionsWith(stem)),
  );
  const most = Math.max(inverseFrequency(statistics.turns, 1), 1e-9);
  return {
    idf,
    rareness: idf.map(value => Math.min(1, value / most) ** 3),
    sessionIdf,
    idfSum: Math.max(sum(idf), 1e-9),
    sessionIdfSum: Math.max(sum(sessionIdf), 1e-9),
    // Bounded, since a ranked part is never much longer than a passage.
    meanLength: Math.min(Math.max(statistics.meanLength, 1), PASSAGE_WORDS),
    meanSessionLength: Math.max(statistics.meanSessionLength, 1),
  };
};

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
