import { type Subject, type SubjectContext, subjectAt } from './subject.ts';
import { hasComma, isUpper, type Token } from './tokens.ts';
import { verbOf } from './verbs.ts';
import {
  BE,
  CONNECTIVE,
  DO,
  HAVE,
  MONTH,
  NEGATION,
  OWN,
  PREPOSITION,
  PRONOUN,
  SELF,
  UNREAL,
  WEEKDAY,
  WILL,
} from './word-classes.ts';

const MOST_LEAD = 9;
/** Verbs of the speaker after which another clause is what is meant, and how sure it then is. */
const HEDGES: ReadonlyMap<string, number> = new Map([
  ['think', 0.6],
  ['guess', 0.6],
  ['believe', 0.6],
  ['suppose', 0.6],
  ['reckon', 0.6],
  ['mean', 1],
  ['know', 1],
  ['swear', 1],
]);
/** A clause after one of these is meant as said. */
const REMINDS = /^(?:remember|note|fyi|btw|noted|reminder|correction|update|edit|actually)$/;
const CONDITIONS = new Set([
  'if',
  'unless',
  'whether',
  'suppose',
  'supposing',
  'imagine',
  'pretend',
  'neither',
  'wish',
]);
const SUBORDINATE = new Set([
  'when',
  'while',
  'after',
  'before',
  'since',
  'because',
  'as',
  'although',
  'though',
  'once',
  'until',
  'whenever',
]);

/** Whether a clause with this first word is not meant as it stands. */
export const isCondition = ([first, second, third]: readonly Token[]): boolean =>
  CONDITIONS.has(first?.lower ?? '') ||
  (first?.lower === 'by' && second?.lower === 'the' && third?.lower === 'time');

/** Finds the subject behind "In May 2024", "Now", "I think", "FYI". */
export function leadingSubject(
  tokens: readonly Token[],
  context: SubjectContext,
): { subject: Subject; start: number; certainty: number } | undefined {
  const hedge = hedgeIn(tokens);
  if (hedge !== undefined) {
    const subject = subjectAt(tokens, hedge.at, context);
    return subject && { subject, start: hedge.at, certainty: hedge.certainty };
  }
  const isUnsure = /^(?:perhaps|maybe|possibly|probably|apparently|supposedly)$/.test(tokens[0]?.lower ?? '');
  let from = isUnsure ? 1 : 0;
  const certainty = isUnsure ? 0.5 : 1;
  if (SUBORDINATE.has(tokens[0]?.lower ?? '') && !isDated(tokens[1])) {
    const comma = tokens.findIndex(hasComma);
    if (comma < 0) return undefined;
    from = comma + 1;
  }
  const direct = subjectAt(tokens, from, context);
  if (direct !== undefined) return { subject: direct, start: from, certainty };
  for (let at = from; at < Math.min(tokens.length, from + MOST_LEAD); at++) {
    const { bits, lower } = tokens[at]!;
    // "On top of my job at Tesco I now drive": what belongs to a preposition is no subject.
    const isWithin = at > from && (tokens[at - 1]!.bits & PREPOSITION || tokens[at - 1]!.lower === 'of');
    if (bits & OWN && isWithin && hasSelfAfter(tokens, at)) continue;
    if (bits & (SELF | OWN) && at > from) {
      if (bits & SELF && isRelativeClause(tokens, from, at)) return undefined;
      const subject = subjectAt(tokens, at, context);
      return subject && { subject, start: at, certainty };
    }
    if (/^(?:none|some|one|all|most|half|both|few|many|any|neither)$/.test(lower)) return undefined;
    // "In May 2022 we".
    if (bits & MONTH && isUpper(tokens[at]!)) continue;
    // "Starting on 1 April I'm going vegan".
    const isFrom = at === 0 && /^(?:starting|beginning)$/.test(lower);
    const isVerb = verbOf(lower) !== undefined && !isFrom && !REMINDS.test(lower);
    if (isVerb || bits & (BE | HAVE | DO | WILL | UNREAL | NEGATION | PRONOUN)) return undefined;
    if (bits & CONNECTIVE && !(bits & PREPOSITION) && lower !== 'so' && lower !== 'but') return undefined;
  }
  return undefined;
}

const TIME_NOUN =
  /^(?:days?|weeks?|months?|years?|times?|mornings?|evenings?|nights?|afternoons?|weekends?|spring|summer|autumn|fall|winter|moment|minute|second|hours?|ago|later|before|after|now|then|today|yesterday|christmas|end|term|semester|instant|\d+)$/;
/** "The guy I'm seeing, Luca, lives in Rome": what is said is said of him. */
const isRelativeClause = (tokens: readonly Token[], from: number, at: number): boolean => {
  const before = tokens[at - 1]!;
  return (
    /^(?:the|an?|this|that|my|our)$/.test(tokens[from]!.lower) &&
    !tokens
      .slice(from, at)
      .some(each => (each.bits & (PREPOSITION | MONTH | WEEKDAY)) !== 0 || hasComma(each)) &&
    !TIME_NOUN.test(before.lower) &&
    !isUpper(before)
  );
};

const hasSelfAfter = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(at + 1, at + 7).some(({ bits }) => (bits & SELF) !== 0);

const isDated = (word: Token | undefined): boolean =>
  word !== undefined &&
  (/^\d/.test(word.core) || (word.bits & (MONTH | WEEKDAY)) !== 0 || /^(?:last|then|of)$/.test(word.lower));

function hedgeIn(tokens: readonly Token[]): { at: number; certainty: number } | undefined {
  const first = tokens[0];
  if (first === undefined || !(first.bits & SELF)) return undefined;
  let at = 1;
  while (/^(?:'d|really|just|still|kind|of|honestly)$/.test(tokens[at]?.lower ?? '')) at++;
  let certainty = HEDGES.get(tokens[at]?.lower ?? '');
  if (
    tokens[at]?.lower === 'am' &&
    /^(?:pretty|fairly|quite)$/.test(tokens[at + 1]?.lower ?? '') &&
    tokens[at + 2]?.lower === 'sure'
  ) {
    certainty = 0.8;
    at += 2;
  }
  if (certainty === undefined) return undefined;
  const next = tokens[at + 1]?.lower === 'that' ? at + 2 : at + 1;
  const word = tokens[next];
  return word !== undefined && word.bits & (SELF | OWN) ? { at: next, certainty } : undefined;
}
