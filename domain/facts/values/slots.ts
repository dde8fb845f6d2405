/** Which values of an attribute end each other, and which add up. */
import { holdsOne } from '../attributes.ts';
import { normaliseValue } from './same-value.ts';

/** Values of one slot end each other; values of one id are equal. */
export interface Slot {
  slot: string;
  id: string;
}

/** Attributes of which each ends the other's values. */
const OPPOSITES = ['likes', 'dislikes'] as const;
const isOpposite = (attribute: string): boolean => OPPOSITES.some(one => one === attribute);

/** Returns the attribute and its opposite, of which a question for one asks as well. */
export const withOpposite = (attribute: string): readonly string[] =>
  isOpposite(attribute) ? OPPOSITES : [attribute];

/**
 * Attributes whose values are ended in the same words, so that an end may be of another than its words say:
 * "I've cancelled Ironbark" is one of a subscription or of a gym, "Arthur died" of a pet or of a husband. And
 * those that end with one of them: the employer with the job, the status with the partner.
 */
const ENDED_ALIKE: readonly (readonly string[])[] = [
  ['employer', 'job', 'team'],
  ['subscription', 'gym', 'membership'],
  ['vehicle', 'owns', 'device', 'phone_model'],
  ['hobby', 'sport', 'instrument', 'habit'],
  ['studies', 'school'],
  ['pet', 'partner', 'friend', 'sibling', 'child', 'relationship_status'],
];

/** Whether an end of this attribute may be one of another that is decided with it. */
export const mayEndElsewhere = (attribute: string): boolean =>
  ENDED_ALIKE.some(alike => alike.includes(attribute));

/** Returns the attributes whose facts decide about this one's, itself among them. */
export const decidedTogether = (attribute: string): readonly string[] =>
  ENDED_ALIKE.find(alike => alike.includes(attribute)) ?? withOpposite(attribute);

const ENDED_WITH: Readonly<Record<string, readonly string[]>> = {
  job: ['employer', 'team'],
  studies: ['school'],
};

/** Returns the attributes that an end of all values of this one ends: without a job there is no employer. */
export const endedWith = (attribute: string): readonly string[] => [
  attribute,
  ...(ENDED_WITH[attribute] ?? []),
];

const ALONE = /\b(?:single|divorced|separated|widow(?:ed|er)?|alone)\b/;
const SINGLE = /\bsingle\b/;
const WITHOUT_WORK = /^(?:unemployed|jobless|out of work|between jobs|retired)$/;

/** Whether a fact says that its subject has a partner, which ends with the partner. */
export const saysPaired = ({ attribute, value }: { attribute: string; value: string }): boolean =>
  attribute === 'relationship_status' && !ALONE.test(normaliseValue(value));

/** Returns the attributes whose values end when this one is said: who is single has no partner. */
export const endedBySaying = ({
  attribute,
  value,
}: {
  attribute: string;
  value: string;
}): readonly string[] => {
  const form = normaliseValue(value);
  if (attribute === 'relationship_status' && SINGLE.test(form)) return ['partner'];
  return attribute === 'job' && WITHOUT_WORK.test(form) ? ['employer', 'team'] : [];
};

const CONSUMING = /^(?:to )?(?:drink(?:ing)?|eat(?:ing)?|hav(?:e|ing)|tast(?:e|ing)|consum(?:e|ing)) (?=\S)/;
const CONSONANTS = /([bdfgklmnprt])\1$/;

const singular = (word: string): string =>
  word.length < 4 || /(?:ss|us|is)$/.test(word)
    ? word
    : word.replace(/ies$/, 'y').replace(/(?<=ch|sh|x|z|o)es$|(?<=[^s])s$/, '');
/** "Swimming", "to swim": the doing. */
const doing = (word: string): string =>
  word.length < 6 || !word.endsWith('ing') ? word : word.slice(0, -3).replace(CONSONANTS, '$1');

/** Returns the thing that is liked: without the verb before it, and regardless of plural. */
const thingOf = (value: string): string => {
  const words = normaliseValue(value).replace(CONSUMING, '').replace(/^to /, '').split(' ');
  const last = words.length - 1;
  words[last] = singular(words[last]!);
  words[0] = doing(words[0]!).replace(/(?<=\w{3})e$/, '');
  return words.join(' ');
};

const DIETS: readonly (readonly [name: string, words: RegExp])[] = [
  ['vegan', /\b(?:vegan|plant based)\b/],
  ['vegetarian', /\b(?:vegetarian|veggie|veggo)\b/],
  ['pescatarian', /\bpesc[ae]tarian\b/],
  ['flexitarian', /\bflexitarian\b/],
  ['omnivore', /\b(?:omnivore|omnivorous|eats? (?:everything|anything)|everything)\b/],
  ['keto', /\bketo(?:genic)?\b/],
  ['paleo', /\bpaleo\b/],
  ['carnivore', /\bcarnivor/],
  ['fruitarian', /\bfruitarian\b/],
];
/** Kinds of diet that leave out a food: somebody who eats it has none of them. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  meat: ['vegan', 'vegetarian', 'pescatarian'],
  fish: ['vegan', 'vegetarian'],
  seafood: ['vegan', 'vegetarian'],
  dairy: ['vegan'],
  cheese: ['vegan'],
  milk: ['vegan'],
  egg: ['vegan'],
};

/** Returns the kinds of diet that end with an exclusion: who eats meat again is no vegetarian. */
export const dietsWithout = (excluded: string): readonly string[] =>
  WITHOUT[excluded.replace(/^no /, '')] ?? [];

const EXCLUDED =
  /^(?:no|without|avoids?|avoiding|cuts? out|(?:does|do) ?n ?o?t eat|not eating|never eats?|eats? no) (?<thing>.+)$/;
const FREE = /^(?<thing>.+?) free(?: diet)?$/;

/** One kind of diet holds; what is left out adds up beside it. */
const dietOf = (value: string): Slot => {
  const form = normaliseValue(value).replace(/^(?:doesn|don) t eat /, 'no ');
  const excluded = (EXCLUDED.exec(form) ?? FREE.exec(form))?.groups?.thing;
  if (excluded !== undefined) return { slot: `no ${singular(excluded)}`, id: `no ${singular(excluded)}` };
  const kind = DIETS.find(([, words]) => words.test(form))?.[0];
  return kind === undefined ? { slot: form, id: form } : { slot: 'kind', id: kind };
};

const LEGAL_FORM = /(?<=\S) (?:inc|llc|ltd|limited|gmbh|ag|corp|corporation|co|company|plc|bv|sa|srl|oy|ab)$/;

/** Returns the form in which values of this attribute are compared. */
const formOf = (attribute: string, value: string): string => {
  const form = normaliseValue(value);
  if (attribute === 'employer') return form.replace(LEGAL_FORM, '');
  // "A peanut allergy" is one to peanuts.
  if (attribute === 'allergy') return form.replace(/[^ ]+$/, singular);
  if (attribute === 'age') return form.replace(/ (?:year|yrs|yo|y)(?: old)?$| old$/, '');
  return form;
};

/** @param longForms of abbreviations among the values (`abbreviationsIn`) */
export const slotOf = (
  { attribute, value }: { attribute: string; value: string },
  longForms: ReadonlyMap<string, string>,
): Slot => {
  if (isOpposite(attribute)) {
    const thing = thingOf(value);
    return { slot: thing, id: `${attribute} ${thing}` };
  }
  if (attribute === 'diet') return dietOf(value);
  const form = formOf(attribute, value);
  const id = longForms.get(form) ?? form;
  // Attributes that are decided together keep their slots apart.
  return { slot: holdsOne(attribute) ? attribute : `${attribute} ${id}`, id };
};
