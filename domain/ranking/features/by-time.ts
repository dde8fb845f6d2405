import type { Candidate } from '../../search/document.ts';

/** Compares tied candidates by time, then id. A rebuild may change the number in the index. */
export const byTime = (a: Candidate, b: Candidate): number =>
  a.timestamp - b.timestamp || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
