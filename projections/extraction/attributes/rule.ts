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
  /** Only of the speaker and those named by a relation: "Ana has two cats" is, "the car has two doors" isn't. */
}

type Options = Pick<Rule, 'read'>;

export const rule = (
  attribute: string,
  kind: Rule['kind'],
  verbs: string,
  pattern: RegExp,
  value: ValueKind = 'thing',
  options: Options = {},
): Rule => ({ attribute, kind, verbs: verbs.split(' '), pattern, value, ...options });
