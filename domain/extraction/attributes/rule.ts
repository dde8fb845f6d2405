import type { ValueKind } from './values.ts';

/** Reads an attribute from a predicate: its verb, then a pattern for the rest. */
export interface Rule {
  attribute: string;
  /** Forms of the main verb; "be" and "have" stand for all of their forms. */
  verbs: readonly string[];
  /** Matches the text after the verb; group `v` holds the value. Anchored; every repetition is bounded. */
  pattern: RegExp;
  /**
   * A state ("lives in") holds while it is told in the present, an event ("moved to") once it is past; an end
   * removes the value; `ever` stays true ("was born in").
   */
  kind: 'state' | 'event' | 'end' | 'ever';
  value: ValueKind;
  /** Rewrites the value: "broke my arm" → "broken arm". Undefined if it is none after all. */
  read?: (match: RegExpExecArray, verb: string) => string | undefined;
  /** The pattern can only match if one of the next words is among these; a cheaper test than the pattern. */
  needs?: ReadonlySet<string>;
}

interface Options extends Pick<Rule, 'read'> {
  /** Alternatives in the pattern; their words become `needs`. */
  oneOf?: string;
}

export const rule = (
  attribute: string,
  kind: Rule['kind'],
  verbs: string,
  pattern: RegExp,
  value: ValueKind = 'thing',
  { read, oneOf }: Options = {},
): Rule => ({
  attribute,
  kind,
  verbs: verbs.split(' '),
  pattern,
  value,
  ...(read && { read }),
  ...(oneOf !== undefined && { needs: new Set(oneOf.toLowerCase().match(/\p{L}{2,}/gu)) }),
});

const MOST_WORDS = 9;

/** Returns the next words, to compare with `needs`: each as it is and without a plural ending. */
export function nextWords(rest: string): readonly string[] {
  const words = rest.toLowerCase().split(/[^\p{L}]+/u, MOST_WORDS);
  return words.flatMap(word =>
    word.endsWith('s') ? [word, word.slice(0, -1), word.replace(/e?s$/, '')] : [word],
  );
}

/** Whether one of the words is among those that the rule needs. */
export const mayRead = ({ needs }: Rule, words: readonly string[]): boolean =>
  needs === undefined || words.some(word => needs.has(word));
