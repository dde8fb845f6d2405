import type { AskedSpan } from '../language/times/asked-times.ts';
import type { QueryDate } from '../language/times/query-dates.ts';

/** The part of an analysed query that candidate selection needs. */
export interface CandidateQuery {
  /** Distinct content stems. */
  stems: Uint32Array;
  /** Stems and their expansions with a weight in (0, 1]. */
  terms: readonly {
    stem: number;
    weight: number;
    /** Rarity in the language, about ½ to 3: a prior, known before the scope is counted. */
    rarity: number;
  }[];
  vector: Int8Array;
  dates: readonly QueryDate[];
  spans: readonly AskedSpan[];
  utcOffset?: number | undefined;
}
