/** Classes of English words that a reading needs, a bit each, so that a word is looked up once. */
import { MONTHS } from '../dates/calendar.ts';
import { NUMBER_WORDS } from './number-words.ts';

export const DETERMINER = 1 << 0;
export const OWN = 1 << 1;
export const PRONOUN = 1 << 2;
export const PREPOSITION = 1 << 3;
export const CONNECTIVE = 1 << 4;
export const COORDINATOR = 1 << 5;
export const NEGATION = 1 << 6;
export const UNREAL = 1 << 7;
export const BE = 1 << 8;
export const HAVE = 1 << 9;
export const DO = 1 << 10;
export const WILL = 1 << 11;
export const ADVERB = 1 << 12;
export const MONTH = 1 << 13;
export const WEEKDAY = 1 << 14;
export const NUMBER = 1 << 15;
export const PARTICLE = 1 << 16;
export const UNIT = 1 << 17;
export const PAST = 1 << 18;
export const SELF = 1 << 19;
/** An adverb that ends a phrase: "now", "again", "too". */
export const TRAILING = 1 << 20;

const CLASSES: readonly (readonly [bits: number, words: string])[] = [
  [DETERMINER, 'a an the this that these those some any no every each another both'],
  [OWN | DETERMINER, 'my our'],
  [DETERMINER, 'his her their your its'],
  [SELF | PRONOUN, 'i we'],
  [
    PRONOUN,
    'he she it they you me us him them who myself ourselves everyone everybody someone somebody nobody',
  ],
  [
    PREPOSITION,
    'in on at to for from with by about near around into onto over under through during since until till after before between against without within across along behind beyond despite toward towards via per outside inside like as',
  ],
  [
    CONNECTIVE,
    'especially particularly including except mainly because cause cuz cos so since when whenever which who whom whose that while if although though unless until where whereas than except but yet after before as whether',
  ],
  [COORDINATOR, 'and or & plus'],
  [
    NEGATION,
    "not never don't doesn't didn't won't haven't hasn't hadn't isn't aren't wasn't weren't ain't no neither nor",
  ],
  [
    UNREAL,
    "would could should might may must can 'd wouldn't couldn't shouldn't might've can't cannot nearly almost supposedly ought wish wished pretend pretended",
  ],
  [BE, "am is are isn't aren't ain't be been being"],
  [BE | PAST, "was were wasn't weren't"],
  [HAVE, "have has haven't hasn't having"],
  [HAVE | PAST, "had hadn't"],
  [DO, "do does don't doesn't"],
  [DO | PAST, "did didn't"],
  [WILL, "will won't shall 'll"],
  [
    ADVERB,
    'also really just always still often usually sometimes only even actually definitely totally finally recently already honestly currently now then ever kinda sorta both mostly truly personally mainly once again first soon later too rarely generally normally basically certainly absolutely hardly obviously lately nowadays further very much quite rather well officially originally newly happily fully strictly completely mildly severely pretty super so highly deathly seriously extremely terribly slightly temporarily permanently all right back up down over out away abroad alone together about',
  ],
  [
    TRAILING,
    'now again too also anymore today tonight currently nowadays lately here there instead already though tho lol haha btw anyway please pls still yet since forever once twice',
  ],
  [MONTH, MONTHS.join(' ').toLowerCase()],
  [WEEKDAY, 'monday tuesday wednesday thursday friday saturday sunday'],
  [NUMBER, [...NUMBER_WORDS, 'hundred'].join(' ')],
  [PARTICLE, 'up down back out off over away together along around in'],
  [
    UNIT,
    'second seconds minute minutes min mins hour hours day days week weeks month months year years time times m cm km mile miles metre metres meter meters foot feet ft inch inches kg kilo kilos lbs pounds stone percent pages floor degrees',
  ],
];

const BITS = new Map<string, number>();
for (const [bits, words] of CLASSES)
  for (const word of words.split(' ')) BITS.set(word, (BITS.get(word) ?? 0) | bits);

/** Returns the classes of a word in lower case; 0 where it has none. */
export const classesOf = (lower: string): number => BITS.get(lower) ?? 0;
