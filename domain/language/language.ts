import type { Document } from '../search/document.ts';
import { makeAnalyse } from './analyse.ts';
import { makeAnalyseQuery, type Query } from './query/query.ts';
import type { AskedAt } from './times/asked-times.ts';
import { decodeDocument, encodeDocument } from './vectors/codec.ts';
import { openStaticTable } from './vectors/static-vectors.ts';
import { makeLexicon } from './words/lexicon.ts';

export interface Language {
  /**
   * Computes the data that ranking needs of a text. Pure: the same text gives the same document on every
   * machine.
   */
  analyse(text: string, said: { role: string; timestamp: number }): Document;
  encodeDocument(document: Document): Uint8Array;
  /** Decodes in place where possible, so the bytes must not change afterwards. */
  decodeDocument(bytes: Uint8Array): Document;
  /**
   * @param speakers the roles of the searched scope
   * @param asked when the question is asked; without it, "yesterday" is a word like any other
   */
  analyseQuery(q: string, speakers: readonly string[], asked?: AskedAt): Query;
}

/**
 * Makes the language from the bytes of static-vectors.bin without copying them, so that all threads can share
 * one SharedArrayBuffer. Each language has its own lexicon, a few megabytes when full.
 */
export const makeLanguage = (bytes: Uint8Array): Language => {
  const table = openStaticTable(bytes);
  const lookUp = makeLexicon(table);
  return {
    analyse: makeAnalyse(table, lookUp),
    encodeDocument,
    decodeDocument,
    analyseQuery: makeAnalyseQuery(table, lookUp),
  };
};

export type { Query } from './query/query.ts';
export { decodeDocument } from './vectors/codec.ts';
export { DocumentFlag } from './words/flags.ts';
