/**
 * A text reduced to the features that ranking needs: computed once, when a fragment is projected, stored with
 * the fragment as bytes, and read back for every candidate of a query.
 */
export interface Document {
  /** 32-bit hashes of the distinct stems (unsigned), ascending. */
  stems: Uint32Array;
  /** Occurrences of each stem, in the order of `stems`, at most 255. */
  counts: Uint8Array;
  /** Number of stems in the text, including repetitions. */
  length: number;
  /** Keys of the distinct content words in the static table, for MaxSim (see language/static-vectors.ts). */
  words: Uint32Array;
  /** Bit set of `DocumentFlag`. */
  flags: number;
  /** The text's static vector, int8. Only its direction is meaningful. */
  vector: Int8Array;
  /** The vector's signature (segments/signature.ts), once a search has needed it; not stored. */
  signature?: Uint32Array;
  /**
   * Documents of a long text's passages (language/passages.ts), in their order; they have none themselves.
   */
  passages?: readonly Document[];
}

/** The memory of a decoded document: its arrays, and the objects around them. */
export const documentBytes = ({ stems, counts, words, vector, passages = [] }: Document): number =>
  DOCUMENT_OBJECT_BYTES +
  4 * (stems.length + words.length) +
  counts.length +
  vector.length +
  passages.reduce((sum, passage) => sum + documentBytes(passage), 0);

/** With the signature. */
const DOCUMENT_OBJECT_BYTES = 600;

/** A document with the turns around it in its session, ordered by (timestamp, first offset). */
export interface Candidate {
  /** The fragment's number in the index. */
  key: number;
  /** Its id in hexadecimal; unlike `key`, it survives a rebuild. */
  id: string;
  kind: 'turn' | 'observation';
  session: number;
  role: string;
  /** When it was said, Unix milliseconds. */
  timestamp: number;
  document: Document;
  /** `document` is one passage of a long text. */
  part?: Part;
  /** The turns at -2, -1, +1, +2 in the session; undefined beyond its ends and for observations. */
  neighbours: Neighbours;
}

export interface Part {
  /** Which of the text's passages, from 0. */
  index: number;
  whole: Document;
}

/** The document of all that a candidate says. */
export const wholeOf = ({ document, part }: Pick<Candidate, 'document' | 'part'>): Document =>
  part ? part.whole : document;

export type Neighbours = readonly [Neighbour?, Neighbour?, Neighbour?, Neighbour?];

export const NO_NEIGHBOURS: Neighbours = [undefined, undefined, undefined, undefined];

export interface Neighbour {
  /** A candidate's id, if it is one. */
  id: string;
  role: string;
  timestamp: number;
  document: Document;
}

/** Counts over exactly the searched scope, never more (invariant 5). */
export interface ScopeStatistics {
  /** Turns in the scope. */
  turns: number;
  /** Mean `Document.length` of a turn. */
  meanLength: number;
  /** The number of turns that contain the stem; called only for stems and expansions of the query. */
  turnsWith(stem: number): number;
  sessions: number;
  /** Mean total length of a session's turns. */
  meanSessionLength: number;
  sessionsWith(stem: number): number;
  /** The session's length and the occurrences of each query stem in it, in the order of `Query.stems`. */
  session(session: number): { length: number; counts: ArrayLike<number> };
  /** Distinct roles of the scope, at most 64. */
  speakers: readonly string[];
}
