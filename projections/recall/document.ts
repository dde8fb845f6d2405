/**
 * What ranking knows of a text without holding the text: made once when a fragment is projected,
 * stored beside it as bytes, and read back for every candidate of a query.
 */
export interface Document {
  /** 32-bit hashes of the distinct stems (unsigned), ascending. */
  stems: Uint32Array;
  /** Occurrences of each stem, in the order of `stems`, at most 255. */
  counts: Uint8Array;
  /** Stems in the text, with repetition. */
  length: number;
  /** Keys of the distinct content words in the static table, for MaxSim (see language/static-vectors.ts). */
  words: Uint32Array;
  /** Bit set of `DocumentFlag`. */
  flags: number;
  /** The text's static vector, int8, one scale: only its direction means something. */
  vector: Int8Array;
}

/** A document in its place: the turns around it in its session, by (timestamp, first offset). */
export interface Candidate {
  /** The fragment's number in the index. */
  key: number;
  /** Its id in hexadecimal: unlike the number, the same after a rebuild. */
  id: string;
  kind: 'turn' | 'observation';
  session: number;
  role: string;
  /** The speaker's time, Unix milliseconds. */
  timestamp: number;
  document: Document;
  /** The turns at -2, -1, +1, +2 of the same session; undefined beyond its ends and for observations. */
  neighbours: Neighbours;
}

export type Neighbours = readonly [Neighbour?, Neighbour?, Neighbour?, Neighbour?];

export const NO_NEIGHBOURS: Neighbours = [undefined, undefined, undefined, undefined];

export interface Neighbour {
  role: string;
  timestamp: number;
  document: Document;
}

/** Counts over exactly the searched scope: never over more (invariant 5). */
export interface ScopeStatistics {
  /** Turns in the scope. */
  turns: number;
  /** Mean `Document.length` of a turn. */
  meanLength: number;
  /** Turns of the scope that hold the stem; asked only for stems and expansions of the query. */
  turnsWith(stem: number): number;
  sessions: number;
  /** Mean sum of lengths of a session. */
  meanSessionLength: number;
  sessionsWith(stem: number): number;
  /** The session's length and how often each query stem (in the order of `Query.stems`) occurs in it. */
  session(session: number): { length: number; counts: ArrayLike<number> };
  /** Distinct roles of the scope, at most 64. */
  speakers: readonly string[];
}
