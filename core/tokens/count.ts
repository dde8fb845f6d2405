import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';
import { openVocabulary } from './vocabulary.ts';

/**
 * Counts tokens of the `o200k_base` encoding. The vocabulary and the split pattern come from a library. The
 * merging is our own, because every tokenizer of the registry merges in quadratic time in the length of a
 * word: 65,536 equal letters, which the contract allows, blocked the service for seconds
 * (docs/internals/decisions/calls/0006).
 */
const file = readFileSync(new URL('./o200k-base.bin', import.meta.url));
const vocabulary = openVocabulary(inflateSync(file));

/**
 * A few distinct words make up most of a text: their counts fit into the processor's cache, the vocabulary
 * doesn't.
 */
const MOST_PIECES = 16_384;
const LONGEST_PIECE = 32;
const known = new Map<string, number>();

/**
 * Counts the tokens of a text in O(n log n). Nothing in it is a control token: `<|endoftext|>` is ordinary
 * text. The encoding never merges across the bounds of a piece (a word with the space before it, a run of
 * digits, …), so the count is the sum over the pieces.
 */
export const countTokens = (text: string): number => {
  let sum = 0;
  for (const piece of text.match(O200K_TOKEN_SPLIT_REGEX) ?? []) {
    let tokens = known.get(piece);
    if (tokens === undefined) {
      tokens = countPiece(piece);
      if (piece.length <= LONGEST_PIECE) {
        if (known.size === MOST_PIECES) known.clear();
        known.set(piece, tokens);
      }
    }
    sum += tokens;
  }
  return sum;
};

const encoder = new TextEncoder();
/** UTF-8 takes up to three bytes per UTF-16 unit. */
const scratch = new Uint8Array(256 * 3);

const countPiece = (piece: string): number => {
  const bytes = piece.length <= 256 ? scratch : new Uint8Array(piece.length * 3);
  const { written: length } = encoder.encodeInto(piece, bytes);
  return length === 1 || vocabulary.rank(bytes, 0, length) >= 0 ? 1 : merge(bytes, length);
};

/**
 * Byte pair merging (Sennrich et al. 2016): merges the adjacent pair of lowest rank first, and the leftmost
 * of equal ones. Returns the number of parts left.
 */
const merge = (bytes: Uint8Array, length: number): number => {
  // Parts are a linked list by their first byte; the heap holds rank * length + start of every pair that ever
  // existed.
  const next = new Int32Array(length + 1);
  const previous = new Int32Array(length + 1);
  const pairRank = new Int32Array(length);
  const heap = makeHeap();
  const offer = (start: number): void => {
    const middle = next[start]!;
    const rank = middle < length ? vocabulary.rank(bytes, start, next[middle]!) : -1;
    pairRank[start] = rank;
    if (rank >= 0) heap.push(rank * length + start);
  };
  for (let i = 0; i <= length; i++) {
    next[i] = i + 1;
    previous[i] = i - 1;
  }
  for (let i = 0; i < length; i++) offer(i);

  let parts = length;
  for (let key = heap.pop(); key !== undefined; key = heap.pop()) {
    const start = key % length;
    // The pair was already merged, or one of its parts has grown.
    if (pairRank[start] !== (key - start) / length) continue;
    const merged = next[start]!;
    const after = next[merged]!;
    next[start] = after;
    previous[after] = start;
    pairRank[merged] = -1;
    parts--;
    offer(start);
    if (start > 0) offer(previous[start]!);
  }
  return parts;
};

/** A binary min-heap of numbers. */
const makeHeap = () => {
  const items: number[] = [];
  return {
    push: (item: number): void => {
      let at = items.length;
      items.push(item);
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (items[parent]! <= item) break;
        items[at] = items[parent]!;
        at = parent;
      }
      items[at] = item;
    },
    pop: (): number | undefined => {
      const top = items[0];
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= items.length) break;
        if (child + 1 < items.length && items[child + 1]! < items[child]!) child++;
        if (items[child]! >= last) break;
        items[at] = items[child]!;
        at = child;
      }
      items[at] = last;
      return top;
    },
  };
};
