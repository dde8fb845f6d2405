import type { Document } from '../search/document.ts';
import { passagesOf } from './passages.ts';
import { layOutDocument } from './vectors/codec.ts';
import type { StaticTable } from './vectors/static-vectors.ts';
import { makeTextSum } from './vectors/text-sum.ts';
import { DocumentFlag, formFlags } from './words/flags.ts';
import type { Word } from './words/lexicon.ts';
import { eachWord } from './words/words.ts';

/** MaxSim compares every word with every query word; beyond this many, more words add little. */
const WORDS_COMPARED = 400;

export const makeAnalyse = (table: StaticTable, lookUp: (word: string) => Word) => {
  const sumOf = makeTextSum(table);
  // Scratch arrays, reused for every text: analysing a turn takes about as long as a few allocations.
  let stems = new Uint32Array(256);
  let counts = new Uint8Array(256);
  const keys = new Uint32Array(WORDS_COMPARED);
  const pieces: number[] = [];

  const analyse = (text: string): Document => {
    let length = 0;
    let distinct = 0;
    let flags = formFlags(text);
    pieces.length = 0;
    eachWord(text, raw => {
      const word = lookUp(raw.text);
      flags |= word.flags;
      if (raw.capital && !raw.sentenceStart && !word.stop) flags |= DocumentFlag.properName;
      if (length === stems.length) stems = grown(stems);
      stems[length++] = word.stem;
      if (word.key !== 0 && !word.stop && distinct < WORDS_COMPARED) {
        // A turn has few words, so a linear search is faster than a set.
        let i = 0;
        while (i < distinct && keys[i] !== word.key) i++;
        if (i === distinct) keys[distinct++] = word.key;
      }
      for (let i = 0; i < word.pieces.length; i++) pieces.push(word.pieces[i]!);
    });
    sortFirst(stems, length);
    if (counts.length < length) counts = new Uint8Array(stems.length);
    const runs = countRuns(stems, length, counts);
    const document = layOutDocument({
      stems,
      counts,
      stemCount: runs,
      length,
      words: keys,
      wordCount: distinct,
      flags,
      dimensions: table.dimensions,
    });
    quantise(sumOf(pieces), document.vector);
    return document;
  };

  return (text: string): Document => {
    const document = analyse(text);
    const passages = passagesOf(text);
    if (passages.length === 0) return document;
    return { ...document, passages: passages.map(({ from, to }) => analyse(text.slice(from, to))) };
  };
};

const grown = (array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
};

/** Up to this many, insertion takes less than the call of a sort. */
const FEW = 64;

/** Sorts the first `length` values. */
const sortFirst = (values: Uint32Array, length: number): void => {
  if (length > FEW) {
    values.subarray(0, length).sort();
    return;
  }
  for (let i = 1; i < length; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
};

/**
 * Moves the distinct values of a sorted list to its start, with the occurrences of each (at most 255).
 * Returns their number.
 */
const countRuns = (sorted: Uint32Array, length: number, counts: Uint8Array): number => {
  let runs = 0;
  for (let i = 0; i < length; ) {
    const value = sorted[i]!;
    const start = i;
    while (i < length && sorted[i] === value) i++;
    sorted[runs] = value;
    counts[runs++] = Math.min(255, i - start);
  }
  return runs;
};

/**
 * Adds the pieces' text vectors; the mean of a text's pieces has the direction of their sum. Processes four
 * pieces at a time, so that the sum is read and written a quarter as often. The order of additions affects
 * the last bit and is part of the format: text-sum.ts, which is faster for whole texts, has the same.
 */
export const addPieces = (table: StaticTable, pieces: readonly number[], sum: Float64Array): void => {
  const { dimensions, textRows: rows, textScales: scales } = table;
  const fours = pieces.length - (pieces.length % 4);
  for (let p = 0; p < fours; p += 4) {
    const [a, b, c, d] = [pieces[p]!, pieces[p + 1]!, pieces[p + 2]!, pieces[p + 3]!];
    const [sa, sb, sc, sd] = [scales[a]!, scales[b]!, scales[c]!, scales[d]!];
    const [ra, rb, rc, rd] = [a * dimensions, b * dimensions, c * dimensions, d * dimensions];
    for (let i = 0; i < dimensions; i++) {
      sum[i]! += rows[ra + i]! * sa + rows[rb + i]! * sb + rows[rc + i]! * sc + rows[rd + i]! * sd;
    }
  }
  for (let p = fours; p < pieces.length; p++) {
    const scale = scales[pieces[p]!]!;
    const row = pieces[p]! * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i]! += rows[row + i]! * scale;
  }
};

/** Quantises to int8, with the largest component at 127; a zero vector stays zero. */
export const quantise = (
  vector: Float32Array | Float64Array,
  out: Int8Array = new Int8Array(vector.length),
): Int8Array => {
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  if (largest > 0) for (let i = 0; i < vector.length; i++) out[i] = Math.round((vector[i]! * 127) / largest);
  return out;
};
