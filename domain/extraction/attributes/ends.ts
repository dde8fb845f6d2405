import { ATTRIBUTES } from '../../facts/table.ts';
import { PLACES } from '../names/known-names.ts';
import type { Predicate, Reading } from '../reading/clause.ts';
import { itemsAt } from '../reading/phrases.ts';
import { isUpper, textOf } from '../reading/tokens.ts';
import { DETERMINER, OWN } from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import { drug } from './frames/body.ts';
import { doing } from './frames/tastes.ts';
import { vehicle } from './frames/things.ts';
import type { Said } from './meaning.ts';
import { mayEmploy, organization } from './organization-type.ts';
import { place } from './place-type.ts';
import { type Item, person, type ValueType, words } from './values.ts';

const ENDS = ATTRIBUTES.flatMap(({ name, endedBy }) => (endedBy === undefined ? [] : [{ name, endedBy }]));
/** Verbs with which the table's `endedBy` patterns begin. */
const MAY_END = new Set(
  'be get move leave retire lose quit resign stop drop break split separate divorce rehome give put outgrow grow come go sell scrap crash total trade throw cancel unsubscribe'.split(
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

/** Whether the verb can end an attribute at all, in its tense. */
export const mayEnd = ({ lemma, progressive, tense }: Predicate['verb']): boolean =>
  MAY_END.has(lemma) && !progressive && (tense !== 'present' || lemma === 'quit' || lemma === 'be');

/** Returns the end of an attribute that the table knows by its words: "quit my job at Acme". */
export function endIn(reading: Reading, predicate: Predicate, lexicon: Lexicon): Said | undefined {
  const { tokens } = reading;
  const { verb } = predicate;
  if (!mayEnd(verb)) return undefined;
  const main = verb.lemma === 'be' ? 'be' : tokens[verb.at]!.lower;
  const text = `${main} ${textOf(tokens, verb.after, predicate.to)}`.trim();
  for (const { name, endedBy } of ENDS) {
    const match = endedBy.exec(text);
    if (match === null) continue;
    if (name === 'partner' && isOther(tokens, verb.after)) continue;
    const raw = match.groups?.v ?? '';
    const value = raw === '' ? '' : endedValue(name, raw, reading, predicate, lexicon);
    if (value === undefined) continue;
    // "I left Lisbon" and "I left Acme" differ only in what they leave.
    const attribute = name === 'employer' && PLACES.has(value.toLowerCase()) ? 'home' : name;
    return { attribute, value, ended: true, stance: 'changed' };
  }
  return undefined;
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
): string | undefined {
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
  const item: Item = { tokens, phrase, end: predicate.to, lexicon };
  const value = (TYPES[name] ?? words)(item);
  if (value === undefined || name !== 'employer') return value;
  // "I left Google Docs open", "I left Twitter".
  const after = from + value.split(' ').length;
  const goesOn = after < predicate.to && !LEAVES_THERE.test(tokens[after]!.lower);
  return goesOn || !mayEmploy(value) ? undefined : value;
}
