import type { QueryDate } from '../language/query-dates.ts';

/** What candidate selection needs of an analysed query. */
export interface CandidateQuery {
  /** Distinct content stems. */
  stems: Uint32Array;
  /** Stems and their expansions with a weight in (0, 1]. */
  terms: readonly { stem: number; weight: number }[];
  vector: Int8Array;
  dates: readonly QueryDate[];
}
