import { ATTRIBUTES } from './table.ts';

export { ATTRIBUTES };

/** A question is short; what is longer isn't searched. */
const LONGEST_QUESTION = 300;
/** The words that ask, or that answer yes or no. "I work at Acme" asks for nothing. */
const ASKS =
  /[?？]|^(?:so |and |ok |hey |please |can you (?:tell|remind) me |(?:tell|remind) me )*(?:who|what|where|when|which|whose|whom|how|why|do|does|did|is|are|am|was|were|has|have|can|could|will|tell|remind)\b/;
const ONE = new Set(ATTRIBUTES.filter(({ holds }) => holds === 'one').map(({ name }) => name));
const FAMILIES = ATTRIBUTES.filter(({ name, holds }) => name.endsWith('_') && holds === 'one');
/** "Favourite" takes one word or two: favourite_ice_cream. */
const FAVOURITE = /\bfavou?rite ((?:ice cream|board game|video game|tv show|[a-z-]{2,20}))/;

/** `favourite_colour` for "favourite color": people spell it in two ways. */
export const favouriteOf = (thing: string): string =>
  `favourite_${thing
    .toLowerCase()
    .replace(/^kind of |^type of /, '')
    .replace(/color\b/, 'colour')
    .replace(/flavor\b/, 'flavour')
    .replace(/movie\b/, 'film')
    .replace(/[^\p{L}\p{N}]+/gu, '_')}`;

/**
 * The attributes that a question asks for, likeliest first: "Where do I live?" → ['home']. Empty when it asks for none that
 * the table knows. Pure; a few microseconds.
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

/** "Where does my sister live?" asks for a home, not for a sister; "Who is Ada's boss's wife?" for the wife. */
const isPossessor = (name: string, names: readonly string[], asked: string): boolean => {
  if (!PEOPLE.has(name)) return false;
  return names.some(other => !PEOPLE.has(other)) && !/^who\b/.test(asked);
};

const AMERICAN = /^favorite_/;

/** One spelling of an attribute's name. */
export const attributeName = (name: string): string => name.replace(AMERICAN, 'favourite_');

/** Whether one value of the attribute holds at a time. False for attributes that the table doesn't know. */
export const holdsOne = (attribute: string): boolean =>
  ONE.has(attribute) ||
  FAMILIES.some(({ name }) => attribute.startsWith(name) && attribute.length > name.length);
