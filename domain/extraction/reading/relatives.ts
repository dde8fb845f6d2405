/**
 * Words for the people and animals around somebody. Sentences are read, questions and pronouns understood by
 * them; a word that only one of these takes, since it also means something else, stands there.
 */

/** `they` for several, and for a word that no pronoun is understood by. */
type Pronoun = 'he' | 'she' | 'either' | 'they';

export interface Relative {
  /** The attribute of facts whose value they are. */
  attribute: string;
  /** The first of its words. */
  name: string;
  words: readonly string[];
  pronoun: Pronoun;
}

/** By the attribute, a relation a row. */
const TABLE: Readonly<Record<string, readonly (readonly [Pronoun, string])[]>> = {
  sibling: [
    ['she', 'sister sis'],
    ['she', 'half-sister'],
    ['she', 'stepsister'],
    ['he', 'brother bro'],
    ['he', 'half-brother'],
    ['he', 'stepbrother'],
  ],
  parent: [
    ['she', 'mother mum mom mam ma mama mummy mommy'],
    ['she', 'stepmother stepmum step-mum'],
    ['he', 'father dad papa daddy'],
    ['he', 'stepfather stepdad step-dad'],
    ['they', 'parents'],
  ],
  child: [
    ['she', 'daughter'],
    ['she', 'stepdaughter'],
    ['he', 'son'],
    ['he', 'stepson'],
    ['either', 'child kid'],
    ['either', 'baby toddler'],
    ['they', 'eldest youngest'],
  ],
  partner: [
    ['she', 'wife missus'],
    ['he', 'husband hubby hubs'],
    ['either', 'partner spouse fiance'],
    ['she', 'girlfriend fiancée fiancee'],
    ['he', 'boyfriend fiancé'],
  ],
  relative: [
    ['she', 'grandmother grandma granny gran nan nana nonna oma babushka'],
    ['he', 'grandfather grandpa grandad granddad opa'],
    ['they', 'grandparents'],
    ['she', 'aunt auntie aunty'],
    ['he', 'uncle'],
    ['either', 'cousin'],
    ['she', 'niece'],
    ['he', 'nephew'],
    ['she', 'granddaughter'],
    ['he', 'grandson'],
    ['she', 'godmother'],
    ['he', 'godfather'],
    ['she', 'mother-in-law'],
    ['he', 'father-in-law'],
    ['she', 'sister-in-law'],
    ['he', 'brother-in-law'],
    ['she', 'daughter-in-law'],
    ['he', 'son-in-law'],
    ['they', 'in-laws'],
  ],
  boss: [['either', 'boss manager supervisor']],
  colleague: [['either', 'colleague coworker co-worker teammate']],
  assistant: [['either', 'assistant']],
  deputy: [['either', 'deputy']],
  intern: [['either', 'intern']],
  apprentice: [['either', 'apprentice']],
  cleaner: [['either', 'cleaner']],
  carer: [['either', 'carer caregiver']],
  friend: [['either', 'friend buddy bestie pal mate']],
  roommate: [['either', 'roommate flatmate housemate roomie lodger']],
  neighbour: [['either', 'neighbour neighbor']],
  landlord: [
    ['either', 'landlord'],
    ['she', 'landlady'],
  ],
  teacher: [['either', 'teacher tutor mentor coach trainer instructor professor']],
  doctor: [['either', 'doctor gp physician']],
  dentist: [['either', 'dentist']],
  physiotherapist: [['either', 'physiotherapist physio']],
  vet: [['either', 'vet']],
  hairdresser: [['either', 'hairdresser barber']],
  babysitter: [['either', 'babysitter nanny childminder']],
  midwife: [['either', 'midwife']],
  lawyer: [['either', 'lawyer solicitor']],
  accountant: [['either', 'accountant']],
  therapist: [['either', 'therapist psychologist counsellor counselor']],
  pet: [
    ['either', 'dog puppy pup'],
    ['either', 'cat kitten'],
    ['either', 'rabbit bunny'],
    ['either', 'tortoise turtle'],
    ...'hamster parrot horse pony goldfish budgie ferret gecko snake greyhound whippet beagle poodle terrier spaniel corgi dachshund collie labrador lurcher chihuahua bulldog pug tabby mutt'
      .split(' ')
      .map(word => ['either', word] as const),
    // "I have a husky voice."
    ['they', 'husky'],
  ],
};

export const RELATIVES: readonly Relative[] = Object.entries(TABLE).flatMap(([attribute, rows]) =>
  rows.map(([pronoun, list]) => {
    const words = list.split(' ');
    return { attribute, name: words[0]!, words, pronoun };
  }),
);
