import type { Candidate } from '../recall/document.ts';

/**
 * Compares tied candidates by time, then id. The number in the index is no criterion: a rebuild may change
 * it.
 */
export const byPlace = (a: Candidate, b: Candidate): number =>
  a.timestamp - b.timestamp || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
