import type { ValueType } from './values.ts';

/** A word of a slot: one of these, which may be absent where it is optional. */
export interface SlotWord {
  options: ReadonlySet<string>;
  isOptional: boolean;
}

/** Place of a value, parsed. */
export type Slot =
  | { kind: 'object' }
  | { kind: 'verb' }
  | { kind: 'preposition'; prepositions: ReadonlySet<string> }
  | { kind: 'words'; words: readonly SlotWord[] };

/**
 * Where a sentence says an attribute: a verb, the place of the value beside it, and the value's type. The
 * subject is the person whose attribute it is.
 */
export interface Frame {
  attribute: string;
  /** Infinitives; "be" and "have" stand for all of their forms. */
  verbs: readonly string[];
  slot: Slot;
  /**
   * A state ("lives in") holds while it is told in the present, an event ("moved to") once it is past; an end
   * removes the value; `ever` stays true ("was born in").
   */
  kind: 'state' | 'event' | 'end' | 'ever';
  type: ValueType;
  /** Each item of a list is a value. */
  list?: boolean;
  /** Writes the value that a denial gives: "no meat" for "I don't eat meat". */
  denied?: (value: string) => string;
  /** The attribute that a denial gives: dislikes for "I don't like". */
  deniedAs?: string;
  /** Only a denial says it. */
  onlyDenied?: boolean;
  /** Only that it is no longer so says it. */
  onlyEnded?: true;
  /** It says that the value is over: "I gave up karate". */
  ended?: true;
  /** A particle that the verb must have: "up" for "grew up". */
  particle?: string;
  /** Words that say it alone: "I'm married" of "I'm married to Ben", which names a partner first. */
  alone?: string;
}

type Options = Omit<Frame, 'attribute' | 'verbs' | 'slot' | 'kind' | 'type'>;

/**
 * Makes a frame.
 *
 * @param slot place of the value: '' the object; "!" the verb itself; "~at|for" after one of these
 * prepositions, anywhere behind the verb; "allergic to" directly after these words, with adverbs between.
 * "a|an" are alternatives of one word, and "new|old?" may be absent or repeated.
 */
export const frame = (
  attribute: string,
  kind: Frame['kind'],
  verbs: string,
  slot: string,
  type: ValueType,
  options: Options = {},
): Frame => ({ attribute, kind, verbs: verbs.split(' '), slot: parsed(slot), type, ...options });

function parsed(slot: string): Slot {
  if (slot === '') return { kind: 'object' };
  if (slot === '!') return { kind: 'verb' };
  if (slot.startsWith('~')) return { kind: 'preposition', prepositions: new Set(slot.slice(1).split('|')) };
  const words = slot.split(' ').map(word => ({
    options: new Set(word.replace('?', '').split('|')),
    isOptional: word.endsWith('?'),
  }));
  return { kind: 'words', words };
}
