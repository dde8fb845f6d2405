import { ATTRIBUTES } from '../../facts/table.ts';
import { GIVEN_NAMES, PLACES } from '../names/known-names.ts';
import type { Predicate, Reading } from '../reading/clause.ts';
import { itemsAt } from '../reading/phrases.ts';
import { relationOf } from '../reading/relations.ts';
import { isUpper, textOf } from '../reading/tokens.ts';
import { DETERMINER, MONTH, OWN, WEEKDAY } from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import { subjectWords } from './alone.ts';
import { drug } from './frames/body.ts';
import { LANGUAGES } from './frames/places.ts';
import { doing } from './frames/tastes.ts';
import { vehicle } from './frames/things.ts';
import type { Said } from './meaning.ts';
import { isNarrowed } from './narrowed.ts';
import { mayEmploy, organization } from './organization-type.ts';
import { place } from './place-type.ts';
import { beforeTime } from './plans.ts';
import { type Item, person, type ValueType, words } from './values.ts';

const ENDS = ATTRIBUTES.flatMap(({ name, endedBy }) => (endedBy === undefined ? [] : [{ name, endedBy }]));
/** Verbs with which the table's `endedBy` patterns begin. */
const MAY_END = new Set(
  'be get move leave retire lose quit resign stop drop break split separate divorce rehome give put outgrow grow come go sell scrap crash total trade throw cancel unsubscribe graduate'.split(
    ' ',
  ),
);
const TYPES: Readonly<Record<string, ValueType>> = {
  home: place,
  employer: organization,
  partner: person,
  vehicle,
  hobby: doing,
  medication: drug,
};
/** Words after "broke up" that leave it a separation, not "broke up the band". */
const ENDS_THERE =
  /^(?:with|after|in|on|last|this|a|two|three|yesterday|today|because|when|and|again|for|over|recently|months?|years?|weeks?|days?)$/;

/** The past of verbs that end something, for those that aren't said in it: "I had to leave Acme". */
const PAST_OF: ReadonlyMap<string, string> = new Map([
  ['give', 'gave'],
  ['drop', 'dropped'],
  ['move', 'moved'],
  ['leave', 'left'],
  ['quit', 'quit'],
  ['resign', 'resigned'],
  ['retire', 'retired'],
  ['stop', 'stopped'],
  ['sell', 'sold'],
  ['cancel', 'cancelled'],
  ['graduate', 'graduated'],
]);

/** The present of all others tells a plan: "I'm leaving Acme on 30 April". */
const NO_PLANNED_END = new Set(['give', 'drop', 'move']);

/** Words by which an end is one of work, whatever it was for. */
const ABOUT_WORK = /\b(?:job|position|role|resigned|to join)\b/i;

/** Whether the verb tells an end that is to come, on a day of its clause. */
const isPlanned = ({ lemma, progressive, tense }: Predicate['verb']): boolean =>
  PAST_OF.has(lemma) &&
  !NO_PLANNED_END.has(lemma) &&
  (progressive || tense === 'present' || tense === 'future');

/** Whether the verb can end an attribute at all, in its tense. */
export const mayEnd = (verb: Predicate['verb']): boolean =>
  (MAY_END.has(verb.lemma) &&
    !verb.progressive &&
    (verb.tense !== 'present' || verb.lemma === 'quit' || verb.lemma === 'be')) ||
  isPlanned(verb);

/** Returns the end of an attribute that the table knows by its words: "quit my job at Acme". */
export function endIn(
  reading: Reading,
  predicate: Predicate,
  labels: readonly string[],
  lexicon: Lexicon,
): Said | undefined {
  const { tokens } = reading;
  const { verb } = predicate;
  if (!mayEnd(verb)) return undefined;
  // "I quit" is done, "I quit in June" is a plan; without its day it is none.
  const isToCome = isPlanned(verb) && (labels.length > 0 || verb.lemma !== 'quit' || verb.progressive);
  if (isToCome && labels.length !== 1) return undefined;
  const said = verb.lemma === 'be' ? 'be' : tokens[verb.at]!.lower;
  // "I had to sell the Golf": the form that is said isn't that of the past.
  const main = isToCome || said === verb.lemma ? (PAST_OF.get(verb.lemma) ?? said) : said;
  const left = leftBy(main, isToCome, reading, predicate, labels, lexicon);
  return left && { ...left, ended: true, stance: isToCome ? 'plan' : 'changed' };
}

/** Not "after all that work". */
const AFTER_ALL = /\bafter all(?:$|[,.;!]| (?:and|but|since|because)\b)/;

/** Returns what somebody keeps who had planned to leave it: "I'm not leaving Acme after all". */
export function keptAfterAll(reading: Reading, predicate: Predicate, lexicon: Lexicon): Said | undefined {
  const { tokens } = reading;
  const { verb } = predicate;
  const isTakenBack = verb.denied && isPlanned(verb) && verb.tense !== 'future';
  if (!isTakenBack || !AFTER_ALL.test(textOf(tokens, verb.after, tokens.length))) return undefined;
  const left = leftBy(PAST_OF.get(verb.lemma)!, true, reading, predicate, [], lexicon);
  return left && left.value !== '' ? { ...left, stance: 'changed' } : undefined;
}

/** Returns what this verb and the words after it leave. `main`: its past, with which the table says ends. */
function leftBy(
  main: string,
  isToCome: boolean,
  reading: Reading,
  predicate: Predicate,
  labels: readonly string[],
  lexicon: Lexicon,
): Pick<Said, 'attribute' | 'value'> | undefined {
  const { tokens } = reading;
  const { verb } = predicate;
  const text = `${main} ${beforeTime(textOf(tokens, verb.after, predicate.to))}`.trim();
  for (const { name, endedBy } of ENDS) {
    const match = endedBy.exec(text);
    if (match === null) continue;
    if (name === 'partner' && isOther(tokens, verb.after)) continue;
    const raw = match.groups?.v ?? '';
    const words = match[0].trim().split(' ').length - 1;
    const ended =
      raw === ''
        ? { value: '', after: verb.after + words }
        : endedValue(name, raw, reading, predicate, lexicon);
    if (ended === undefined) continue;
    const next = name === 'employer' ? nextAt(tokens, verb.after, predicate.to) : undefined;
    const isForNext =
      next?.lead === ended.after && (next.isFirm || ABOUT_WORK.test(textOf(tokens, verb.at, predicate.to)));
    if (!isForNext && isNarrowed(tokens, ended.after, predicate.to, 'end')) continue;
    const attribute = attributeOf(name, ended.value, labels, isToCome);
    return attribute === undefined ? undefined : { attribute, value: ended.value };
  }
  return undefined;
}

/** Things that one cancels and has no longer than a day. */
const OF_A_DAY =
  /\b(?:appointments?|flights?|orders?|plans?|bookings?|reservations?|meetings?|class(?:es)?|lessons?|trips?|dinner|lunch|dates?|tables?|tickets?|trains?|hotels?|party|parties|games?|sessions?|calls?|deliver(?:y|ies)|wedding|holidays?|yoga|practice|training|interviews?|exams?|shifts?|parcels?|boxes|box|visit|event|concert|tour|today|tomorrow)$/;

const LANGUAGE = new RegExp(`^(?:${LANGUAGES})$`);
/** "I left Lisbon", "I left Acme", "I left Oak School" and "I left Hannah" differ only in what they leave. */
function attributeOf(
  name: string,
  value: string,
  labels: readonly string[],
  isToCome: boolean,
): string | undefined {
  const lower = value.toLowerCase();
  // "Cancelled the gym today", "my appointment": not for good, or nothing that lasts.
  if (name === 'subscription') {
    const isOfDay = value === lower && labels.some(label => /-\d\d-|W/.test(label));
    return isOfDay || OF_A_DAY.test(lower) ? undefined : name;
  }
  if (name !== 'employer' || value === '') return name;
  // Somebody who leaves a place on a day may be on the way: only a month or a year is one of living there.
  if (PLACES.has(lower)) return isToCome || labels.some(label => /-\d\d-/.test(label)) ? undefined : 'home';
  if (GIVEN_NAMES.has(lower)) return 'partner';
  // "I quit Finnish and started Greek".
  if (LANGUAGE.test(lower)) return 'language';
  return /\b(?:school|university|college|academy)\b/.test(lower) ? 'school' : name;
}

/**
 * Returns where the next one's name begins in "left Acme for Globex" or "to join Globex", and the words that
 * lead to it; `isFirm`: it is no day, person or place ("left Berlin for Munich").
 */
function nextAt(
  tokens: Reading['tokens'],
  from: number,
  to: number,
): { lead: number; name: number; isFirm: boolean } | undefined {
  for (let at = from + 1; at < to; at++) {
    const isToJoin = tokens[at]!.lower === 'to' && tokens[at + 1]?.lower === 'join';
    if (!isToJoin && tokens[at]!.lower !== 'for') continue;
    const name = at + (isToJoin ? 2 : 1);
    const word = tokens[name];
    if (word === undefined || name >= to || !isUpper(word)) continue;
    const isOther =
      GIVEN_NAMES.has(word.lower) || PLACES.has(word.lower) || relationOf(word.lower) !== undefined;
    return { lead: at, name, isFirm: !isOther && !(word.bits & (MONTH | WEEKDAY)) };
  }
  return undefined;
}

/** Returns the employer that somebody left another one to join; a job "for Google" may be the one left. */
export function nextEmployer(reading: Reading, { verb, to }: Predicate, lexicon: Lexicon): Said | undefined {
  const { tokens } = reading;
  const next = nextAt(tokens, verb.after, to);
  const isJoined = next?.isFirm === true && tokens[next.name - 1]!.lower === 'join';
  const [phrase] = isJoined ? itemsAt(tokens, next.name, to) : [];
  const value = phrase && organization({ tokens, phrase, end: to, lexicon });
  return value === undefined || !mayEmploy(value)
    ? undefined
    : {
        attribute: 'employer',
        value,
        stance: 'changed',
        alone: `${subjectWords(reading)} joined ${value}`,
      };
}

const LEAVES_THERE =
  /^(?:in|on|at|after|because|last|this|to|for|and|when|since|two|three|behind|recently|today|yesterday|early|but|as|by|over|during|before|following|years?|months?|weeks?|finally|already|again|now|\d.*)$/;

/** "Broke up the fight", "got divorced papers", "divorced from reality": nobody parts. */
const isOther = (tokens: Reading['tokens'], after: number): boolean => {
  const at = /^(?:up|divorced|a|separated)$/.test(tokens[after]?.lower ?? '') ? after + 1 : after;
  const next = tokens[at]?.lower;
  return (
    next !== undefined &&
    next !== 'divorce' &&
    !ENDS_THERE.test(next) &&
    !/[,.;!]$/.test(tokens[at - 1]?.tail ?? '')
  );
};

/** Reads the ended value with its type, from the first of its words. */
function endedValue(
  name: string,
  raw: string,
  { tokens }: Reading,
  predicate: Predicate,
  lexicon: Lexicon,
): { value: string; after: number } | undefined {
  const first = raw
    .trim()
    .split(' ', 1)[0]!
    .replace(/[,.;!]+$/, '');
  let from = predicate.from;
  while (from < predicate.to && tokens[from]!.core !== first) from++;
  if (from >= predicate.to) return undefined;
  while (from < predicate.to && tokens[from]!.bits & (OWN | DETERMINER) && !isUpper(tokens[from]!)) from++;
  const [phrase] = itemsAt(tokens, from, predicate.to);
  if (phrase === undefined) return undefined;
  const end = name === 'employer' ? (nextAt(tokens, from, predicate.to)?.lead ?? predicate.to) : predicate.to;
  const item: Item = { tokens, phrase: { ...phrase, to: Math.min(phrase.to, end) }, end, lexicon };
  const value = (TYPES[name] ?? words)(item);
  if (value === undefined) return undefined;
  if (name !== 'employer') return { value, after: Math.max(phrase.to, from + value.split(' ').length) };
  // "I left Google Docs open", "I left Twitter".
  const after = from + value.split(' ').length;
  const goesOn = after < predicate.to && !LEAVES_THERE.test(tokens[after]!.lower);
  return goesOn || !mayEmploy(value) ? undefined : { value, after };
}
