import type { Document } from '../recall/document.ts';
import { DocumentFlag, isQuestion } from './flags.ts';
import type { Word } from './lexicon.ts';
import type { StaticTable } from './static-vectors.ts';
import { eachWord } from './words.ts';

/** MaxSim compares every word with every query word: what a long text says after this many adds little. */
const WORDS_COMPARED = 400;

export const makeAnalyse = (table: StaticTable, lookUp: (word: string) => Word) => {
  const sum = new Float32Array(table.dimensions);

  return (text: string): Document => {
    const occurrences = new Map<number, number>();
    const keys = new Set<number>();
    let length = 0;
    let flags = isQuestion(text) ? DocumentFlag.question : 0;
    sum.fill(0);
    eachWord(text, raw => {
      const word = lookUp(raw.text);
      length++;
      flags |= word.flags;
      if (raw.capital && !raw.sentenceStart && !word.stop) flags |= DocumentFlag.properName;
      occurrences.set(word.stem, (occurrences.get(word.stem) ?? 0) + 1);
      if (word.key !== 0 && !word.stop && keys.size < WORDS_COMPARED) keys.add(word.key);
      addPieces(table, word.pieces, sum);
    });
    const stems = Uint32Array.from(occurrences.keys()).sort();
    const counts = new Uint8Array(stems.length);
    for (let i = 0; i < stems.length; i++) counts[i] = Math.min(255, occurrences.get(stems[i]!)!);
    return { stems, counts, length, words: Uint32Array.from(keys), flags, vector: quantise(sum) };
  };
};

/** Adds the pieces' vectors: the mean of a text's pieces has the direction of their sum. */
export const addPieces = (table: StaticTable, pieces: readonly number[], sum: Float32Array): void => {
  const { dimensions, rows, scales } = table;
  for (let p = 0; p < pieces.length; p++) {
    const piece = pieces[p]!;
    const scale = scales[piece]!;
    const at = piece * dimensions;
    for (let i = 0; i < dimensions; i++) sum[i]! += rows[at + i]! * scale;
  }
};

/** int8 with the largest component at 127; zeros stay zeros. */
export const quantise = (vector: Float32Array): Int8Array => {
  const out = new Int8Array(vector.length);
  let largest = 0;
  for (let i = 0; i < vector.length; i++) largest = Math.max(largest, Math.abs(vector[i]!));
  if (largest > 0) for (let i = 0; i < vector.length; i++) out[i] = Math.round((vector[i]! * 127) / largest);
  return out;
};
