import { addPieces, quantise } from '../analyse.ts';
import { type AskedAt, type AskedSpan, askedTimes } from '../times/asked-times.ts';
import { type QueryDate, queryDates } from '../times/query-dates.ts';
import type { StaticTable } from '../vectors/static-vectors.ts';
import { fnv1a } from '../words/fnv.ts';
import { fold } from '../words/fold.ts';
import type { Word } from '../words/lexicon.ts';
import { stem } from '../words/stems.ts';
import { isEnglish, isStopWord } from '../words/stop-words.ts';
import { firstPiece, secondPiece, wordVector } from '../words/word-keys.ts';
import { wordsOf } from '../words/words.ts';
import { withoutAsking } from './about-asking.ts';
import { type QueryCues, queryCues } from './query-cues.ts';
import { namedSpeakers } from './speakers.ts';

/** An analysed query, ready for the index and for ranking. */
export interface Query {
  /** Distinct content stems without speakers' names, in the order of the query, at most 48. */
  stems: Uint32Array;
  /** All words, in the form of a document: distinct stems, ascending, and their number with repetitions. */
  text: { stems: Uint32Array; length: number };
  /**
   * For each stem, the key of its word in the static table; 0 if there is none, or if the word has too many
   * pieces for a key.
   */
  keys: Uint32Array;
  /**
   * For each stem, 1 if only the word itself matches: names and codes, which are not a single piece of the
   * English vocabulary, and all words of a query that is not an English sentence.
   */
  exact: Uint8Array;
  /** For each stem, the word's int8 vector, with a common scale; concatenated. */
  vectors: Int8Array;
  /** Search terms: the stems with weight 1, and stems of similar words with less (their squared cosine). */
  terms: { stem: number; weight: number; rarity: number }[];
  /** Static vector of the whole query without speakers' names, int8. */
  vector: Int8Array;
  /** Roles of the scope that the query names, if any, in the order in which it names them. */
  named: ReadonlySet<string>;
  cues: QueryCues;
  dates: QueryDate[];
  /** The spans of time to which the question limits its answer. */
  spans: AskedSpan[];
  /** Where it is asked, minutes to the east of UTC: `dates` are days there. */
  utcOffset: number;
  table: StaticTable;
}

/** A query is expected to be a sentence. In a pasted page, further words count only in the vector. */
const MOST_STEMS = 48;
/** Maximum expansions per query word. */
const MOST_EXPANSIONS = 20;

export const makeAnalyseQuery = (table: StaticTable, lookUp: (word: string) => Word) => {
  const sum = new Float64Array(table.dimensions);

  return (q: string, speakers: readonly string[], asked?: AskedAt): Query => {
    const words = wordsOf(q);
    const { named, names } = namedSpeakers(q, words, speakers);
    const english = isEnglish(words);
    const { spans, rest } = asked && english ? askedTimes(q, asked) : { spans: [], rest: q };
    // A filter that would leave no words is skipped.
    const spoken = notEmpty(
      words.filter(word => !names.has(word)),
      words,
    );
    const kept = english ? spokenIn(withoutAsking(rest), names) : spoken;
    const about = kept.some(word => !isStopWord(word)) ? kept : spoken;
    const content = notEmpty(
      english ? notEmpty(about, spoken).filter(word => !isStopWord(word)) : spoken,
      spoken,
    );

    sum.fill(0);
    for (const word of about) addPieces(table, lookUp(word).pieces, sum);

    const chosen = new Map<number, Word>();
    for (const text of content) {
      const word = lookUp(text);
      if (chosen.size < MOST_STEMS && !chosen.has(word.stem)) chosen.set(word.stem, word);
    }
    const list = [...chosen.values()].map(word => (isWhole(word) ? word : { ...word, key: 0 }));
    const vectors = new Int8Array(list.length * table.dimensions);
    for (const [i, word] of list.entries())
      vectors.set(quantise(wordVector(table, word.key)), i * table.dimensions);
    return {
      stems: Uint32Array.from(list, word => word.stem),
      text: {
        stems: Uint32Array.from(new Set(words.map(word => lookUp(word).stem))).sort(),
        length: words.length,
      },
      keys: Uint32Array.from(list, word => word.key),
      exact: Uint8Array.from(list, word => (english && isOnePiece(word) ? 0 : 1)),
      vectors,
      terms: expand(table, list),
      vector: quantise(sum),
      named,
      cues: queryCues(q),
      dates: queryDates(q),
      spans,
      utcOffset: asked?.utcOffset ?? 0,
      table,
    };
  };
};

/** Index of the first whole word in the vocabulary, which is ordered by frequency from there on. */
const FIRST_WORD = 1_900;

/**
 * Returns a word's rarity in English, estimated from the index of its piece in the vocabulary: about ½ for
 * `the`, 3 for the last one.
 */
const staticRarity = (piece: number): number => 0.5 + Math.log(Math.max(piece / FIRST_WORD, 1));

/** Returns the stems and, for every word that is a single word piece, the nearest words in the table. */
const expand = (table: StaticTable, words: readonly Word[]): Query['terms'] => {
  const weights = new Map<number, number>();
  const pieces = new Map<number, number>();
  for (const { key } of words) {
    const piece = firstPiece(key);
    if (piece === 0 || secondPiece(key) !== 0) continue;
    const from = table.neighbourStarts[piece]!;
    const to = Math.min(table.neighbourStarts[piece + 1]!, from + MOST_EXPANSIONS);
    for (let i = from; i < to; i++) {
      const near = table.piece(table.neighbours[i]!);
      if (isStopWord(near)) continue;
      const cosine = table.neighbourCosines[i]! / 255;
      const hash = fnv1a(stem(fold(near)));
      weights.set(hash, Math.max(weights.get(hash) ?? 0, cosine * cosine));
      pieces.set(hash, table.neighbours[i]!);
    }
  }
  for (const word of words) {
    weights.set(word.stem, 1);
    if (secondPiece(word.key) === 0) pieces.set(word.stem, firstPiece(word.key));
  }
  const rarity = (hash: number): number => staticRarity(pieces.get(hash) || table.pieces);
  return Array.from(weights, ([hash, weight]) => ({ stem: hash, weight, rarity: rarity(hash) })).sort(
    (a, b) => b.weight - a.weight || a.stem - b.stem,
  );
};

/**
 * Whether a key holds all pieces of the word. A key has room for two; words with more pieces can share one
 * without having anything else in common (`zq7x0`, `zq1x5`), so such query words match only by stem.
 */
const isWhole = (word: Word): boolean => word.pieces.length <= 2;

const isOnePiece = (word: Word): boolean => word.pieces.length === 1;

const spokenIn = (q: string, names: ReadonlySet<string>): string[] =>
  wordsOf(q).filter(word => !names.has(word));

const notEmpty = (words: string[], otherwise: string[]): string[] => (words.length > 0 ? words : otherwise);
