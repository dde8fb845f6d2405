import type { Candidate } from '../recall/document.ts';

/** Order of ties: by time, then id; not by the number in the index, which a rebuild may change. */
export const byPlace = (a: Candidate, b: Candidate): number =>
  a.timestamp - b.timestamp || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
