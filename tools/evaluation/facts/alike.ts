/** Decides whether two wordings of a fact, an attribute or a value count as the same. */

const WORDS = /[\p{L}\p{N}]{3,}/gu;
const LITTLE = new Set(
  'the and his her their its for with from that this has have had been was were are not but who which does did said about into also just than'.split(
    ' ',
  ),
);

/** Matches words, and numbers of any length. */
const WITH_NUMBERS = /[\p{L}\p{N}]{3,}|\d+/gu;

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(WORDS) ?? []);
const overlap = (one: Set<string>, other: Set<string>): number =>
  [...one].filter(word => other.has(word)).length;
const dice = (one: Set<string>, other: Set<string>): number =>
  (2 * overlap(one, other)) / Math.max(1, one.size + other.size);

/** Whether the README's measure holds: Dice over words of three letters and more. */
export const shareWords = (one: string, other: string): boolean => dice(wordsOf(one), wordsOf(other)) >= 0.5;

/** Returns a crude stem: "restores", "restored" and "restoring" are one, and so are "lives" and "lived". */
const stem = (word: string): string =>
  word.length < 5 ? word.replace(/s$/, '') : word.replace(/(?:ing|ed|es|s|er|e)$/, '').slice(0, 7);
const contentOf = (text: string, subject: string): Set<string> => {
  const named = wordsOf(subject);
  const words = text.toLowerCase().match(WITH_NUMBERS) ?? [];
  return new Set(words.filter(word => !LITTLE.has(word) && !named.has(word)).map(stem));
};

/**
 * Whether two facts are the same, also if two thirds of the shorter one's content are in the longer: a label
 * may add a date or a reason ("… since 2014"), and a made fact may hold two labels. The speaker's name, which
 * is in all of them, doesn't count.
 */
export const sayTheSame = (made: string, label: string, speaker: string): boolean => {
  if (shareWords(made, label)) return true;
  const [one, other] = [contentOf(made, speaker), contentOf(label, speaker)];
  const shared = overlap(one, other);
  return dice(one, other) >= 0.5 || (shared >= 2 && shared * 3 >= Math.min(one.size, other.size) * 2);
};

/** Names that the labellers gave one attribute; the first of a line is the table's. */
const SYNONYMS = `
home location city address residence childhood_home home_town lives_in
employer work workplace company
job role profession occupation work_status first_job position title
partner husband wife spouse boyfriend girlfriend marital_status relationship_status relationship fiance
sibling brother sister
parent mother father
child son daughter children
relative aunt uncle grandmother grandfather cousin sister_in_law
pet dog cat pets
owns possession vehicle car phone_model device shop
health condition illness injury
diet food_restriction allergy
hobby instrument sport activity music band choir
plan goal event appointment exam wish intention availability job_application
preference likes dislikes favourite disliked_food wedding_music opinion taste
name preferred_name nickname surname handle
studies school degree education university
hometown birthplace origin born_in
birthday birth_date date_of_birth
age
phone phone_number
subscription account
salary income budget gift_budget
team department
roommate housemate flatmate`;
const GROUPS = SYNONYMS.trim()
  .split('\n')
  .map(line => new Set(line.split(' ')));
const general = (attribute: string): string =>
  attribute.startsWith('favourite_') || attribute.startsWith('favorite_') ? 'preference' : attribute;

export const sameAttribute = (made: string, label: string): boolean =>
  general(made) === general(label) ||
  GROUPS.some(group => group.has(general(made)) && group.has(general(label)));

/**
 * Whether one value contains the other, or half of their words are shared. An empty value (of an end) equals
 * any.
 */
export const sameValue = (made: string, label: string): boolean => {
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim();
  const [one, other] = [plain(made), plain(label)];
  if (one === '' || other === '' || one.includes(other) || other.includes(one)) return true;
  const parts = (text: string): Set<string> => new Set(text.split(' ').map(stem));
  return dice(parts(one), parts(other)) >= 0.5;
};
