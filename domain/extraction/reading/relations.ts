/** Words for the people around a speaker, and the speaker's attribute for each. */
const RELATIONS: Readonly<Record<string, string>> = {
  sibling: 'sister brother sis bro twin half-sister half-brother stepsister stepbrother',
  parent:
    'mother father mum mom dad mama papa stepmother stepfather stepdad step-dad stepmum step-mum parents mam pa ma',
  child: 'son daughter kid child baby toddler stepson stepdaughter eldest youngest',
  partner: 'wife husband boyfriend girlfriend partner fiancé fiancée fiance fiancee spouse hubby hubs missus',
  relative:
    'aunt auntie uncle cousin niece nephew grandmother grandfather grandma grandpa granny nana nan gran grandad granddad grandson granddaughter mother-in-law father-in-law sister-in-law brother-in-law godmother godfather grandparents in-laws son-in-law daughter-in-law nonna babushka oma opa',
  boss: 'boss manager supervisor',
  colleague: 'colleague coworker co-worker teammate',
  assistant: 'assistant',
  deputy: 'deputy',
  intern: 'intern',
  apprentice: 'apprentice',
  cleaner: 'cleaner',
  carer: 'carer caregiver',
  friend: 'friend buddy bestie pal mate',
  roommate: 'roommate flatmate housemate roomie lodger',
  neighbour: 'neighbour neighbor',
  landlord: 'landlord landlady',
  teacher: 'teacher tutor mentor coach trainer instructor professor',
  doctor: 'doctor gp physician',
  dentist: 'dentist',
  physiotherapist: 'physiotherapist physio',
  vet: 'vet',
  hairdresser: 'hairdresser barber',
  babysitter: 'babysitter nanny childminder',
  midwife: 'midwife',
  lawyer: 'lawyer solicitor',
  accountant: 'accountant',
  therapist: 'therapist psychologist counsellor counselor',
  pet: 'dog cat puppy kitten hamster parrot rabbit bunny tortoise turtle horse pony goldfish budgie ferret gecko snake pup greyhound whippet beagle poodle terrier spaniel corgi dachshund collie labrador lurcher chihuahua husky bulldog pug tabby mutt',
};

const ATTRIBUTE_OF = new Map(
  Object.entries(RELATIONS).flatMap(([attribute, words]) =>
    words.split(' ').map(word => [word, attribute] as const),
  ),
);

/** Returns `sibling` for "sister"; undefined for a word that is no relation. */
export const relationOf = (word: string): string | undefined => ATTRIBUTE_OF.get(word.toLowerCase());

/** Words for one relation, within attributes that have several. */
const SAME = [
  'sister sis half-sister stepsister',
  'brother bro half-brother stepbrother',
  'mother mum mom mam ma mama stepmother stepmum step-mum',
  'father dad pa papa stepfather stepdad step-dad',
  'daughter stepdaughter',
  'son stepson',
  'aunt auntie',
  'grandmother grandma granny nana nan gran nonna oma babushka',
  'grandfather grandpa grandad granddad opa',
  'dog puppy pup',
  'cat kitten',
  'rabbit bunny',
  'tortoise turtle',
];
const MAIN_WORD = new Map(
  SAME.flatMap(words => words.split(' ').map((word, _, [main]) => [word, main!] as const)),
);
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
  return { attribute, kind: OPEN.has(lower) ? undefined : (MAIN_WORD.get(lower) ?? lower) };
};

/** The attributes whose values are the people and animals around a speaker. */
export const RELATION_ATTRIBUTES: readonly string[] = Object.keys(RELATIONS);

export const ANIMAL =
  'dog|cat|puppy|kitten|hamster|parrot|rabbit|bunny|tortoise|turtle|horse|pony|goldfish|budgie|ferret|gecko|snake|lizard|chicken|hen|goat|sheep|donkey|guinea pig|labrador|lab|retriever|greyhound|whippet|beagle|poodle|terrier|spaniel|corgi|dachshund|kitty|kitties|husky|collie|shepherd|bulldog|pug|chihuahua|rottweiler|tabby|siamese|pup|mutt|canary|gerbil|iguana|axolotl|alpaca|llama|pig|cow';
