import { RELATIVES } from './relatives.ts';

/** Words for the people around a speaker, and the speaker's attribute for each. */
const ATTRIBUTE_OF: ReadonlyMap<string, string> = new Map([
  ...RELATIVES.flatMap(({ attribute, words }) => words.map(word => [word, attribute] as const)),
  ['twin', 'sibling'],
  ['pa', 'parent'],
]);

/** Returns `sibling` for "sister"; undefined for a word that is no relation. */
export const relationOf = (word: string): string | undefined => ATTRIBUTE_OF.get(word.toLowerCase());

/** By the word, within attributes that have several relations; a stepmother counts as a mother. */
const KIND_OF: ReadonlyMap<string, string> = new Map([
  ...RELATIVES.flatMap(({ name, words }) =>
    words.map(word => [word, name.replace(/^(?:half-|step)/, '')] as const),
  ),
  ['pa', 'father'],
]);
/** Attributes whose words say different relations: an aunt is no cousin, while a boss is a manager. */
const SEVERAL = new Set(['sibling', 'parent', 'child', 'relative', 'pet']);
/** Words of these attributes that leave open which of its relations is meant. */
const OPEN = new Set('twin parents kid child baby toddler eldest youngest grandparents in-laws'.split(' '));

/** A relation: its attribute, and which of its kinds; undefined where the word leaves it open. */
export interface Relation {
  attribute: string;
  kind: string | undefined;
}

/** Returns the relation that a word says: that of "mum" and "mother" is the same. */
export const kinshipOf = (word: string): Relation | undefined => {
  const lower = word.toLowerCase();
  const attribute = ATTRIBUTE_OF.get(lower);
  if (attribute === undefined) return undefined;
  if (!SEVERAL.has(attribute)) return { attribute, kind: attribute };
  return { attribute, kind: OPEN.has(lower) ? undefined : KIND_OF.get(lower) };
};

/** The attributes whose values are the people and animals around a speaker. */
export const RELATION_ATTRIBUTES: readonly string[] = [
  ...new Set(RELATIVES.map(({ attribute }) => attribute)),
];

export const ANIMAL =
  'dog|cat|puppy|kitten|hamster|parrot|rabbit|bunny|tortoise|turtle|horse|pony|goldfish|budgie|ferret|gecko|snake|lizard|chicken|hen|goat|sheep|donkey|guinea pig|labrador|lab|retriever|greyhound|whippet|beagle|poodle|terrier|spaniel|corgi|dachshund|kitty|kitties|husky|collie|shepherd|bulldog|pug|chihuahua|rottweiler|tabby|siamese|pup|mutt|canary|gerbil|iguana|axolotl|alpaca|llama|pig|cow';
