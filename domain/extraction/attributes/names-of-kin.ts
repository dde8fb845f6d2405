/** Names of the speaker's people and pets: given, listed, or of one who has died. */
import { ANY_MONTH } from '../dates/calendar.ts';
import { GIVEN_NAMES } from '../names/known-names.ts';
import type { Predicate, Reading } from '../reading/clause.ts';
import { itemsAt } from '../reading/phrases.ts';
import { relationOf } from '../reading/relations.ts';
import { hasComma, isUpper, textOf } from '../reading/tokens.ts';
import { COORDINATOR } from '../reading/word-classes.ts';
import type { Lexicon } from '../sentences/lexicon.ts';
import type { Said, Value } from './meaning.ts';
import { calledIn, type Item, person } from './values.ts';

/** Singular of a word for relatives and animals. */
export const singular = (word: string): string => {
  if (word === 'children') return 'child';
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ch|sh|x|s)es$/.test(word) ? word.slice(0, -2) : word.replace(/s$/, '');
};

/** Attributes whose values are people or animals. */
const KIN = new Set('sibling child pet relative friend colleague roommate parent'.split(' '));
const MOST_NAMES = 6;

/** Reads the name of a relation or pet: "My new boss is Ana", "my dog is called Comet". */
export function calledOf(
  { subject, tokens }: Reading,
  { verb, from, to }: Predicate,
  lexicon: Lexicon,
): Said[] {
  const attribute = relationOf(subject.relation ?? '');
  if (
    attribute === undefined ||
    verb.lemma !== 'be' ||
    verb.denied ||
    verb.ended ||
    verb.intent !== undefined
  )
    return [];
  const isCalled = /^(?:called|named)$/.test(tokens[from]?.lower ?? '');
  const named: Said[] = [];
  for (const phrase of itemsAt(tokens, isCalled ? from + 1 : from, to)) {
    // "My son is a Leo": with an article it is no name.
    const first = tokens[phrase.from]!;
    const isSmall = isCalled && phrase.to - phrase.from === 1 && mayName(first.lower, lexicon);
    if (!(isUpper(first) || isSmall) || phrase.bare < phrase.from) break;
    const name = isSmall && !isUpper(first) ? first.core : person({ tokens, phrase, end: to, lexicon });
    if (name === undefined) break;
    named.push({
      attribute,
      value: name,
      of: subject.owner,
      alone: `My ${subject.relation} is called ${name}`,
      ...(verb.tense === 'past' && { ended: true as const, isPast: true, stance: 'was' as const }),
    });
  }
  return named;
}

/** "Called emre": a name in small letters. */
const mayName = (lower: string, lexicon: Lexicon): boolean =>
  /^\p{L}{2,15}$/u.test(lower) && (GIVEN_NAMES.has(lower) || !lexicon.isCommon(lower));

const DIED = /^(?:died|dead|passed|euthani[sz]ed)$/;

/** Words behind a death: nothing, when, where or of what. */
const DIES_THERE =
  /^$|^(?:of|from|after|peacefully|suddenly|unexpectedly|sadly|aged|at|last|this|yesterday|today|two|three|four|five|a|when|while|because|and|but|early|late|giving birth|young|alone|at home|quickly|on (?!me\b|my\b|us\b|the (?:spot|inside))|now|already|years?|down|to sleep|in (?!(?:the|an?) (?:\p{L}+ )?(?:round|game|level|film|movie|show|series|episode|season|scene|finale?|book|play|cartoon|anime|comic|trailer|story|novel)\b|the sims|red dead|front)|during|before|since|for|over|the (?:rainbow|same|next|other) |\d)/iu;

/** They are neighbours no more when they have moved. */
const LIVES_BESIDE = /^(?:neighbour|roommate)$/;
/** "Moved out", not "out of the way", "out of Hull" or "out for two weeks". */
const MOVES_THERE = new RegExp(
  `^(?:out|away)(?:$| (?:last|this|today|yesterday|already|now|again|on|at the|because|and|so|two|three|a|(?:of|from) (?:the|our|my) (?:flat|house|apartment|place|room)|in (?:${ANY_MONTH}|(?:19|20)\\d\\d))\\b(?! (?:few )?(?:hour|minute|bit|way)s?\\b))`,
  'i',
);

/** Returns the end of a roommate or a neighbour: "Jonas moved out", "my neighbour Greta moved away". */
export function movedOut(
  { subject, tokens }: Reading,
  { verb, from, to }: Predicate,
  speaker: string,
): Said | undefined {
  if (verb.lemma !== 'move' || verb.tense === 'present' || verb.denied || verb.intent !== undefined)
    return undefined;
  const isRemark = from < tokens.length && hasComma(tokens[from]!);
  if (!MOVES_THERE.test(isRemark ? tokens[from]!.lower : textOf(tokens, from, to))) return undefined;
  const end = { ended: true as const, stance: 'changed' as const };
  // A name alone: only somebody who moves out is known to have lived there.
  if (subject.kind === 'named')
    return tokens[from]!.lower === 'out'
      ? { attribute: 'roommate', value: subject.label, of: speaker, ...end }
      : undefined;
  const who = relationOf(subject.relation ?? '') ?? '';
  if (!LIVES_BESIDE.test(who)) return undefined;
  return { attribute: who, value: subject.name ?? who, of: subject.owner ?? speaker, ...end };
}

/** Returns the end of the speaker's pet or relative: "My dog Comet died", "Rex passed away". */
export function deathOf(
  { subject, tokens }: Reading,
  { verb, from, to }: Predicate,
  speaker: string,
): Said | undefined {
  if (verb.denied || verb.intent !== undefined) return undefined;
  const main = tokens[verb.at]!.lower;
  const next = tokens[from]?.lower ?? '';
  const dies =
    (verb.lemma === 'die' && verb.tense !== 'present') ||
    (verb.lemma === 'pass' && next === 'away') ||
    (verb.lemma === 'be' &&
      (DIED.test(next) || (next === 'put' && /^(?:down|to)$/.test(tokens[from + 1]?.lower ?? '')))) ||
    (main === 'crossed' && /rainbow/.test(textOf(tokens, from, Math.min(tokens.length, from + 3))));
  // "Died laughing", "dead to the world", "died in the first round": nobody has died.
  const behind = from + (verb.lemma === 'be' || next === 'away' ? 1 : 0);
  const before = tokens[behind - 1];
  const isRemark = before !== undefined && hasComma(before);
  if (dies && !isRemark && !DIES_THERE.test(textOf(tokens, behind, to))) return undefined;
  // "Died of boredom".
  const cause = tokens[from]?.lower === 'of' ? (tokens[from + 1]?.lower ?? '') : '';
  if (
    !dies ||
    /^(?:boredom|laughter|laughing|embarrassment|shame|happiness|cuteness|joy|cringe)$/.test(cause)
  )
    return undefined;
  const relation = subject.relation ?? '';
  const attribute = subject.kind === 'named' ? 'pet' : relationOf(relation);
  // A parent stays a parent; a name alone may be a pet's: the end of one that isn't known ends nothing.
  if (attribute === undefined || attribute === 'parent') return undefined;
  return {
    attribute,
    value: subject.kind === 'named' ? subject.label : (subject.name ?? relation),
    ended: true,
    stance: 'changed',
    of: subject.owner ?? speaker,
  };
}

/**
 * Returns further names behind a counted relation: "two brothers, Jon and Pat" are two values in place of the
 * count; "a cat called Tofu and a dog called Rex" are items of the list anyway.
 */
export function namesAfter(attribute: string, item: Item, value: string): Value[] {
  if (!KIN.has(attribute)) return [];
  const { tokens, phrase } = item;
  // "Three cats: Milo, Otis and Bean": the names follow a colon.
  const isBracket = tokens[phrase.to]?.lead.includes('(') ?? false;
  const end = isBracket || /[:(]/.test(tokens[phrase.to - 1]?.tail ?? '') ? tokens.length : item.end;
  const called = calledIn(item);
  const isNamed = called !== undefined;
  const from = isNamed ? called : phrase.to;
  if (!isNamed && !isBracket && !/[,:(–-]/.test(tokens[phrase.to - 1]?.tail ?? '')) return [];
  const names: Value[] = [];
  const noun = singular(tokens[(isNamed ? called - 1 : phrase.to) - 1]!.lower);
  let at = from;
  while (at < end && names.length < MOST_NAMES) {
    if (!isUpper(tokens[at]!)) break;
    const [next] = itemsAt(tokens, at, end);
    if (next === undefined) break;
    const name = person({ ...item, phrase: next });
    if (name === undefined) break;
    if (name !== value)
      names.push({ value: name, from: next.from, to: next.to, alone: `My ${noun} is called ${name}` });
    const last = tokens[next.to - 1]!;
    if (isBracket && last.tail.includes(')')) break;
    at = next.to;
    const isJoined = at < end && (tokens[at]!.bits & COORDINATOR) !== 0;
    if (isJoined) at++;
    else if (!hasComma(last)) break;
  }
  return names;
}
