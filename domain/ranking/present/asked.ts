/** The kind of answer that a question for the present asks for, and whose state it asks about. */
import { ANY_MONTH } from '../../extraction/dates/calendar.ts';
import { peopleIn } from './turn-cues.ts';

export type AnswerType = 'who' | 'number' | 'when' | 'where' | 'how' | 'whether' | 'what';

const TYPES: readonly (readonly [AnswerType, RegExp])[] = [
  ['who', /\bwho(?:se|m)?\b/i],
  [
    'number',
    /\bhow (?:much|many|old|tall|long|far|big|heavy|fast|often)\b|\b(?:size|price|number|age|dose|target|amount|salary|rent|weight|height|score|budget)\b/i,
  ],
  [
    'when',
    /\bwhen\b|\b(?:what|which) (?:time|day|date|month|year|weekday)\b|\b(?:deadline|bedtime|birthday|due)\b/i,
  ],
  ['where', /\bwhere\b|\b(?:what|which) (?:city|town|country|street|place|village)\b/i],
  ['how', /^how\b/i],
  ['whether', /^(?:do|does|is|are|am|can|has|have)\b/i],
];

export interface Asked {
  type: AnswerType;
  /** Relatives and others whom it asks about. */
  people: ReadonlySet<string>;
}

export const askedFor = (question: string): Asked => ({
  type: TYPES.find(([, pattern]) => pattern.test(question))?.[0] ?? 'what',
  people: peopleIn(question),
});

const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|hundred|half|once|twice|every|daily|weekly)\b/i;
const TIME = new RegExp(
  `\\b\\d{1,2}[:.]\\d\\d\\b|\\b\\d{1,2} ?(?:am|pm|o'clock)\\b|\\b\\d{1,2}(?:st|nd|rd|th)\\b|\\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|\\b(?:${ANY_MONTH}|spring|summer|autumn|winter|noon|midnight|half past|quarter)\\b|\\b(?:19|20)\\d\\d\\b`,
  'i',
);
const NAME = /(?<![.!?]\s)(?<!^)\b\p{Lu}[\p{Ll}’'-]+|\b(?:Dr|Mr|Mrs|Ms|Prof)\b/u;
const PLACE = /\b(?:in|at|to|from|near|by|under|behind|above) (?:the )?\p{L}/iu;

/** Whether a text holds the kind of answer asked for; undefined for a kind that has no form of its own. */
export const holdsType = (type: AnswerType, text: string): boolean | undefined => {
  if (type === 'number') return NUMBER.test(text);
  if (type === 'when') return TIME.test(text);
  if (type === 'who') return NAME.test(text);
  if (type === 'where') return NAME.test(text) || PLACE.test(text);
  return undefined;
};
