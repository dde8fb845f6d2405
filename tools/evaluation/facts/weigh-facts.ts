/** Compares a week's known and false rows with the facts of the service, loosely: by words of the value. */
import { numberIn } from '../../../domain/extraction/reading/number-words.ts';
import { relationOf } from '../../../domain/extraction/reading/relations.ts';
import { ATTRIBUTES } from '../../../domain/facts/attributes.ts';
import { wordsOf } from '../../../domain/language/words/words.ts';
import type { Known, NotSo } from './read-weeks.ts';

/** A fact as `GET /memory/facts` lists it. */
export interface ListedFact {
  subject: { label: string };
  attribute: string;
  value: string;
}

const USER = 'user';

/** "Nine" is 9. */
const wordsIn = (text: string): string =>
  ` ${wordsOf(text)
    .map(word => String(numberIn(word) ?? word))
    .join(' ')} `;

/** Whether the words of one are among the words of the other, in a row. */
export const holdsWords = (text: string, words: string): boolean => {
  const wanted = wordsIn(words);
  return wanted.trim() !== '' && wordsIn(text).includes(wanted);
};

const isLike = (one: string, other: string): boolean => holdsWords(one, other) || holdsWords(other, one);

const isOf = (label: string, of: string, user: string): boolean =>
  of === USER
    ? label === 'The user' || isLike(label, user)
    : holdsWords(label, of.replace(/^(?:my|the) /i, '')) || holdsWords(of, label);

const TABLE = new Set(ATTRIBUTES.map(({ name }) => name));
const nameOf = (what: string): string => what.toLowerCase().replace(/[^a-z0-9]+/g, '_');

/** Whether an attribute may be what the row names; a noun that the table lacks may be any. */
const isAttribute = (attribute: string, what: string): boolean => {
  const name = nameOf(what);
  return !TABLE.has(name) || attribute === name || attribute.includes(name) || name.includes(attribute);
};

/** "Anneke: relation: wife" is "user: partner: Anneke", from her side. */
const isRelation = ({ of, what, value }: Known, fact: ListedFact, user: string): boolean =>
  what === 'relation' &&
  fact.attribute === relationOf(value) &&
  isOf(fact.subject.label, USER, user) &&
  isLike(fact.value, of);

export const isKnown = (row: Known, facts: readonly ListedFact[], user: string): boolean =>
  facts.some(
    fact =>
      (isOf(fact.subject.label, row.of, user) && isLike(fact.value, row.value)) ||
      isRelation(row, fact, user),
  );

/** @param facts those that hold now */
export const isHeld = ({ of, what, value }: NotSo, facts: readonly ListedFact[], user: string): boolean =>
  facts.some(
    fact =>
      isOf(fact.subject.label, of, user) && isLike(fact.value, value) && isAttribute(fact.attribute, what),
  );
