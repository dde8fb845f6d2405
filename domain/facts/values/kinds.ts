/** Beings and things that have a name and a kind: "my dog Rex died" and "my dog died" end the pet Rex. */
import { ANIMAL, relationOf } from '../../extraction/reading/relations.ts';
import { normaliseValue } from './same-value.ts';

const NAMED = new Set(
  'pet child parent sibling relative partner friend roommate neighbour colleague boss vehicle owns device instrument medication subscription membership gym health'.split(
    ' ',
  ),
);

/** Whether values of this attribute may be named in part, or by their kind. */
export const mayBeNamed = (attribute: string): boolean => NAMED.has(attribute);

const ALIKE: Readonly<Record<string, string>> = {
  dog: 'puppy pup labrador lab retriever greyhound whippet beagle poodle terrier spaniel corgi dachshund husky collie shepherd bulldog pug chihuahua rottweiler mutt',
  cat: 'kitten kitty kitties tabby siamese',
  rabbit: 'bunny',
  horse: 'pony',
  sister: 'sis',
  brother: 'bro',
  mother: 'mom',
  father: 'dad',
  grandmother: 'grandma granny nana nan gran',
  grandfather: 'grandpa granddad grandad',
  partner: 'wife husband spouse boyfriend girlfriend fiance fiancee hubby',
  child: 'kid baby toddler',
  car: 'hatchback estate saloon suv',
  motorbike: 'motorcycle',
};
const KIND_OF = new Map(
  Object.entries(ALIKE).flatMap(([kind, words]) => words.split(' ').map(word => [word, kind] as const)),
);
const THINGS = new Set([...ANIMAL.split('|'), ...'car van truck motorbike scooter bike boat'.split(' ')]);
/** Words beside a name or a kind that tell nothing. */
const BESIDE = new Set(
  'my our his her their a an the old new little beloved poor dear first second ex called named and s'.split(
    ' ',
  ),
);

/** Returns the kind that a word says, `dog` of "puppy"; undefined for any other word. */
const kindOf = (word: string): string | undefined => {
  const one = word.endsWith('s') && !THINGS.has(word) ? word.slice(0, -1) : word;
  const kind = KIND_OF.get(one);
  if (kind !== undefined) return kind;
  return THINGS.has(one) || relationOf(one) !== undefined ? one : undefined;
};

const kindsIn = (text: string): string[] =>
  normaliseValue(text)
    .split(' ')
    .flatMap(word => kindOf(word) ?? []);

/** The words of a name, and its kinds. */
export interface NamedThing {
  names: readonly string[];
  kinds: ReadonlySet<string>;
}

/** In a sentence the kind stands before the name, "a dog called Rex", or else it is the next one. */
const kindBeside = (sentence: string, name: string): string[] => {
  // A name may be the first word.
  const [before, ...after] = ` ${normaliseValue(sentence)}`.split(` ${name}`);
  return [kindsIn(before!).at(-1) ?? kindsIn(after.join(' '))[0] ?? []].flat();
};

/**
 * @param about another word that may tell the kind
 * @param sentence it may too
 */
export const namedIn = (value: string, about = '', sentence = ''): NamedThing => {
  const form = normaliseValue(value);
  const names = form.split(' ').filter(word => kindOf(word) === undefined && !BESIDE.has(word));
  const own = [...kindsIn(value), ...kindsIn(about)];
  return { names, kinds: new Set(own.length > 0 ? own : kindBeside(sentence, names[0] ?? form)) };
};

/**
 * Whether a denial is about a value: `yes`, `perhaps` where the value's kind isn't known, or `no`.
 *
 * @param ended what the denial names
 */
export const isAbout = (ended: NamedThing, held: NamedThing): 'yes' | 'perhaps' | 'no' => {
  const isOfKind = ended.kinds.size === 0 || !held.kinds.isDisjointFrom(ended.kinds);
  if (ended.names.length > 0) {
    const [few, many] =
      ended.names.length < held.names.length ? [ended.names, held.names] : [held.names, ended.names];
    if (few.length === 0 || !few.every(word => many.includes(word))) return 'no';
    return isOfKind || held.kinds.size === 0 ? 'yes' : 'no';
  }
  if (ended.kinds.size > 0 && isOfKind) return 'yes';
  return held.kinds.size === 0 ? 'perhaps' : 'no';
};
