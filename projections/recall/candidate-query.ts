import type { QueryDate } from '../language/query-dates.ts';

/** What candidate selection needs of an analysed query. */
export interface CandidateQuery {
  /** Distinct content stems. */
  stems: Uint32Array;
  /** Stems and their expansions with a weight in (0, 1]. */
  terms: readonly {
    stem: number;
    weight: number;
    /** How rare it is in the language, about ½ to 3: what is known of a word before its scope was counted. */
    rarity: number;
  }[];
  vector: Int8Array;
  dates: readonly QueryDate[];
}
