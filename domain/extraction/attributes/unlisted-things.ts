/** Things of a speaker that no row has, by their own names: a number, a name, a day. */
import { MONTHS } from '../dates/calendar.ts';
import type { Reading } from '../reading/clause.ts';
import { itemsAt } from '../reading/phrases.ts';
import { isUpper, textOf } from '../reading/tokens.ts';
import { PREPOSITION, TRAILING } from '../reading/word-classes.ts';
import type { Said } from './meaning.ts';

/** Things of which one has one at a time, and their days, by the last word. */
const EVENTS: Readonly<Record<string, string>> = {
  operation: 'operation',
  surgery: 'operation',
  wedding: 'wedding',
  graduation: 'graduation',
  'due date': 'due_date',
};
const EVENT = /(?:^|\s)(operation|surgery|wedding|graduation|due date)$/i;
/** A day as dates.ts writes it. */
const DAY = new RegExp(`^on (?<v>\\d{1,2} (?:${MONTHS.join('|')}) \\d{4})(?![\\p{L}\\d])`, 'u');

/** Reads "my operation is on 14 May". */
function datedEvent(
  noun: string,
  { tokens, subject }: Reading,
  from: number,
  to: number,
): Said[] | undefined {
  const event = EVENT.exec(noun)?.[1]?.toLowerCase();
  if (event === undefined || subject.relation !== undefined) return undefined;
  const value = DAY.exec(textOf(tokens, from, to))?.groups?.v;
  return value === undefined ? undefined : [{ attribute: EVENTS[event]!, value, isDay: true }];
}

/** A number, an amount or a code: "KN-48213", "72", "£41", but no time of day. */
const IDENTIFIER = /^(?=.*\d)(?!\d{1,2}[:.]\d\d$)[\p{L}\d£$€%#+/.-]{1,24}$/u;
const MOST_NAME = 4;
const UNREAL_NOUN = /\b(?:should|would|could|might|must|can|may|will|shall)\b/i;
/** Things that are something else tomorrow. */
const PASSING =
  /(?:train|bus|trip|holiday|mood|weekend|plan|dream|guess|point|problem|answer|question|opinion|luck|fault|turn|flight|meeting|appointment|class|lesson|exam|battery|score|turn|order|day|week|month|year|time|shift|call|alarm|phone|car|bill|fever|temperature|pulse|connection)$/i;

/** Reads "my account number is KN-48213": an attribute that no row has, by its own name. */
function identified(noun: string, { tokens, subject }: Reading, after: number, to: number): Said[] {
  const from = /^(?:called|named)$/.test(tokens[after]?.lower ?? '') ? after + 1 : after;
  const word = tokens[from];
  if (word === undefined || subject.relation !== undefined || subject.about !== undefined) return [];
  if (!/^[a-z]+(?: [a-z]+){0,2}$/i.test(noun) || PASSING.test(noun) || UNREAL_NOUN.test(noun)) return [];
  const [phrase] = itemsAt(tokens, from, to);
  const isName =
    phrase !== undefined &&
    phrase.from === phrase.bare &&
    phrase.to - phrase.from <= MOST_NAME &&
    tokens.slice(phrase.from, phrase.to).every(each => isUpper(each) || /^\d/.test(each.core));
  const end = isName ? phrase.to : from + 1;
  if (!isName && !IDENTIFIER.test(word.core)) return [];
  const next = tokens[end];
  const ends =
    end >= to ||
    next === undefined ||
    /^[,.;!)]/.test(tokens[end - 1]!.tail) ||
    (next.bits & (PREPOSITION | TRAILING)) !== 0;
  if (!ends) return [];
  return [{ attribute: noun.toLowerCase().replaceAll(' ', '_'), value: textOf(tokens, from, end) }];
}

/** Reads "my N is …" of a thing that the table lacks; empty where it says nothing of that kind. */
export const unlisted = (noun: string, reading: Reading, from: number, to: number): Said[] =>
  datedEvent(noun, reading, from, to) ?? identified(noun, reading, from, to);
