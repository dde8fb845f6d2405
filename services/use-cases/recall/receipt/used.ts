/** The hits that an answer was made of, each with the part of its words that the answer has. */

import type { ChosenHit } from '../../../../core/ports.ts';
import type { Span } from '../../../../domain/language/passages.ts';
import { wordsOfPart } from './part.ts';

/** A hit of the answer, or one that only its context or its timeline quotes. */
export interface UsedHit {
  hit: ChosenHit;
  used_in: 'hits' | 'context';
}

/** Words of a hit as a context or a timeline quotes them: cleaned, and perhaps cut. */
export interface Quoted {
  hit: ChosenHit;
  words: string;
  clean: (text: string) => string;
}

export const idOf = (hit: ChosenHit): string => (hit.kind === 'entity' ? hit.entity.id : hit.fragment.id);

/**
 * Returns the listed hits, then those that are quoted alone, best first. A receipt gives back their words:
 * the part that was quoted, and nothing that the answer left out.
 */
export const usedIn = (listed: readonly ChosenHit[], quoted: readonly Quoted[]): UsedHit[] => {
  const used = new Map<string, UsedHit>(listed.map(hit => [idOf(hit), { hit, used_in: 'hits' }]));
  const byScore = quoted.toSorted((a, b) => b.hit.score - a.hit.score);
  for (const one of byScore) {
    const hit = used.has(idOf(one.hit)) ? undefined : withQuotedPart(one);
    if (hit) used.set(idOf(hit), { hit, used_in: 'context' });
  }
  return [...used.values()];
};

const withQuotedPart = ({ hit, words, clean }: Quoted): ChosenHit | undefined => {
  if (hit.kind === 'entity') return undefined;
  const text = wordsOfPart(hit);
  if (clean(text) === words) return hit;
  const found = quotedPart(text, words, clean);
  const start = hit.part?.from ?? 0;
  return found && { ...hit, part: { from: start + found.from, to: start + found.to } };
};

/**
 * Returns the shortest part of a text that has these words once it is cleaned, as far as cleaning a part is
 * cleaning within the whole; undefined where it is not, so that rather nothing than too much is given back.
 */
const quotedPart = (text: string, words: string, clean: (text: string) => string): Span | undefined => {
  const has = (from: number, to: number): boolean => clean(text.slice(from, to)).includes(words);
  const to = least(text.length, words.length, end => has(0, end));
  if (to === undefined) return undefined;
  const length = least(to, words.length, back => has(to - back, to));
  return length === undefined ? undefined : { from: to - length, to };
};

/** Returns the least number up to `most` with a property that greater ones keep, in time by that number. */
const least = (most: number, first: number, is: (n: number) => boolean): number | undefined => {
  let high = Math.max(1, Math.min(first, most));
  let low = 0;
  while (!is(high)) {
    if (high >= most) return undefined;
    low = high;
    high = Math.min(most, high * 2);
  }
  while (low + 1 < high) {
    const middle = (low + high) >>> 1;
    if (is(middle)) high = middle;
    else low = middle;
  }
  return high;
};
