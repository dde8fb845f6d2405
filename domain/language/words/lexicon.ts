import type { StaticTable } from '../vectors/static-vectors.ts';
import { wordFlags } from './flags.ts';
import { fnv1a } from './fnv.ts';
import { stem } from './stems.ts';
import { isStopWord } from './stop-words.ts';
import { wordKey } from './word-keys.ts';
import { wordPieces } from './word-pieces.ts';

/** A word as the lexicon stores it, without its text. */
export interface Word {
  /** Hash of the stem. */
  stem: number;
  /** Key in the static table (word-keys.ts); 0: none. */
  key: number;
  pieces: readonly number[];
  stop: boolean;
  flags: number;
}

/** Number of cached words: by Zipf's law, a few ten thousand cover nearly all of a language in use. */
const REMEMBERED = 30_000;

/** Looks up a folded word and caches the answer, which never changes. */
export const makeLexicon = (table: StaticTable): ((word: string) => Word) => {
  const known = new Map<string, Word>();
  return text => {
    const found = known.get(text);
    if (found) return found;
    const pieces = wordPieces(table, text).filter(piece => table.inverseNorms[piece]! > 0);
    const word = {
      stem: fnv1a(stem(text)),
      key: wordKey(pieces),
      pieces,
      stop: isStopWord(text),
      flags: wordFlags(text),
    };
    if (known.size >= REMEMBERED) known.clear();
    // Copied, since a slice of a text would keep the entire text in memory.
    if (text.length <= 40) known.set(Buffer.from(text).toString(), word);
    return word;
  };
};
