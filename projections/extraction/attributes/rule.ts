import type { ValueKind } from './values.ts';

/** Reads an attribute from a predicate: its verb, then a pattern of what follows. */
export interface Rule {
  attribute: string;
  /** The forms of the main verb, "be" and "have" for any of theirs. */
  verbs: readonly string[];
  /** Matches what follows the verb; the group `v` holds the value. Anchored, and every repetition in it is bounded. */
  pattern: RegExp;
  /**
   * A state ("lives in") holds while it is told in the present, an event ("moved to") once it is past; an end takes the
   * value away; what ever was stays true ("was born in").
   */
  kind: 'state' | 'event' | 'end' | 'ever';
  value: ValueKind;
  /** The value in other words: "broke my arm" → "broken arm". Undefined when it is none after all. */
  read?: (match: RegExpExecArray, verb: string) => string | undefined;
  /** One of these words is among the next ones, or the pattern can't match: a look that is cheaper than the pattern. */
  needs?: ReadonlySet<string>;
}

interface Options extends Pick<Rule, 'read'> {
  /** The alternatives of the pattern. */
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

/** The words that a rule may need: the next ones, also without a plural's ending. */
export function nextWords(rest: string): readonly string[] {
  const words = rest.toLowerCase().split(/[^\p{L}]+/u, MOST_WORDS);
  return words.flatMap(word =>
    word.endsWith('s') ? [word, word.slice(0, -1), word.replace(/e?s$/, '')] : [word],
  );
}

/** Whether one of the words that the rule needs is among them. */
export const mayRead = ({ needs }: Rule, words: readonly string[]): boolean =>
  needs === undefined || words.some(word => needs.has(word));
