import { ATTRIBUTES } from './table.ts';

export { ATTRIBUTES };

/** Only this many characters of a question are searched; real ones are short. */
const LONGEST_QUESTION = 300;
/** Words that open a question. "I work at Acme" asks for nothing. */
const ASKS =
  /[?？]|^(?:so |and |ok |hey |please |can you (?:tell|remind) me |(?:tell|remind) me )*(?:who|what|where|when|which|whose|whom|how|why|do|does|did|is|are|am|was|were|has|have|can|could|will|tell|remind)\b/;
const ONE = new Set(ATTRIBUTES.filter(({ holds }) => holds === 'one').map(({ name }) => name));
const FAMILIES = ATTRIBUTES.filter(({ name, holds }) => name.endsWith('_') && holds === 'one');
/** "Favourite" takes one word or two: favourite_ice_cream. */
const FAVOURITE = /\bfavou?rite ((?:ice cream|board game|video game|tv show|[a-z-]{2,20}))/;

/** Returns `favourite_colour` for "favourite color", which has two spellings. */
export const favouriteOf = (thing: string): string =>
  `favourite_${thing
    .toLowerCase()
    .replace(/^kind of |^type of /, '')
    .replace(/color\b/, 'colour')
    .replace(/flavor\b/, 'flavour')
    .replace(/movie\b/, 'film')
    .replace(/[^\p{L}\p{N}]+/gu, '_')}`;

/**
 * Returns the attributes that a question asks for, likeliest first: "Where do I live?" → ['home']. Empty if
 * it asks for none in the table. Pure; takes a few microseconds.
 */
export const attributesAskedFor = (question: string): string[] => {
  const asked = question.slice(0, LONGEST_QUESTION).toLowerCase().replaceAll('’', "'").trim();
  if (!ASKS.test(asked)) return [];
  const favourite = FAVOURITE.exec(asked)?.[1];
  if (favourite !== undefined) return [favouriteOf(favourite)];
  const names = ATTRIBUTES.filter(({ questions }) => questions.test(asked)).map(({ name }) => name);
  return names.filter(name => !isPossessor(name, names, asked)).filter(name => !name.endsWith('_'));
};

const PEOPLE = new Set(
  'boss colleague partner child parent sibling relative friend roommate neighbour landlord teacher pet doctor dentist therapist'.split(
    ' ',
  ),
);

/**
 * Whether a person in a question only owns what is asked for: "Where does my sister live?" asks for a home,
 * not for a sister; "Who is Ada's boss's wife?" asks for the wife.
 */
const isPossessor = (name: string, names: readonly string[], asked: string): boolean => {
  if (!PEOPLE.has(name)) return false;
  return names.some(other => !PEOPLE.has(other)) && !/^who\b/.test(asked);
};

const AMERICAN = /^favorite_/;

/** Returns the one spelling of an attribute's name. */
export const attributeName = (name: string): string => name.replace(AMERICAN, 'favourite_');

/** Whether the attribute has one value at a time. False for attributes that the table doesn't know. */
export const holdsOne = (attribute: string): boolean =>
  ONE.has(attribute) ||
  FAMILIES.some(({ name }) => attribute.startsWith(name) && attribute.length > name.length);
