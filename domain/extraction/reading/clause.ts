import type { Lexicon } from '../sentences/lexicon.ts';
import { isCondition, leadingSubject } from './leads.ts';
import { saysAnyMore } from './phrases.ts';
import { endOfNameAt, type Subject, type SubjectContext } from './subject.ts';
import { endsPhrase, hasComma, isUpper, type Token, tokensOf } from './tokens.ts';
import { beginsPredicate, type VerbGroup, verbGroupAt } from './verb-group.ts';
import { BASE, PAST_FORM, THIRD, verbOf } from './verbs.ts';
import {
  BE,
  CONNECTIVE,
  COORDINATOR,
  DO,
  HAVE,
  NEGATION,
  OWN,
  PREPOSITION,
  PRONOUN,
  SELF,
  UNREAL,
} from './word-classes.ts';

/** One verb of a clause with the words after it. */
export interface Predicate {
  verb: VerbGroup;
  /** The words after the verb: `from` to `to` (excluded). */
  from: number;
  to: number;
  /** Index of its first word, auxiliaries included. */
  start: number;
  /** It tells of a time that is over: "when I lived in Rome". */
  backThen: boolean;
}

/** A clause, read: who it is about, and what is said of them. */
export interface Reading {
  tokens: readonly Token[];
  subject: Subject;
  /** Index of the subject's first word. */
  start: number;
  predicates: readonly Predicate[];
  /** Index at which another clause of the speaker begins: "I'm vegan, I don't drink coffee". */
  next: number | undefined;
}

const MOST_PREDICATES = 4;
const MOST_LEAD = 4;
const PAST_STATES = new Set(['live', 'work', 'study', 'reside']);

/** Reads a clause in the speaker's words. Undefined where it says nothing of a person or what is theirs. */
export function readClause(text: string, context: SubjectContext, lexicon: Lexicon): Reading | undefined {
  const tokens = tokensOf(text);
  if (isCondition(tokens)) return undefined;
  const found = leadingSubject(tokens, context);
  if (found === undefined) return undefined;
  const { subject, start, certainty } = found;
  const after = subject.kind === 'thing' ? subject.after : behindPhrase(tokens, subject.after, lexicon);
  const predicates = predicatesOf(tokens, after, certainty, lexicon);
  if (subject.kind !== 'thing') predicates.push(...formerlyIn(tokens, subject.after, lexicon));
  const last = predicates.findLast(({ backThen }) => !backThen);
  return predicates.length === 0
    ? undefined
    : { tokens, subject, start, predicates, next: last && nextClause(tokens, last.to) };
}

/** "Olga from next door has moved": returns the index of the verb behind a phrase of the subject. */
function behindPhrase(tokens: readonly Token[], after: number, lexicon: Lexicon): number {
  if (!/^(?:from|in|at|of|over|next)$/.test(tokens[after]?.lower ?? '')) return after;
  for (let at = after + 1; at < Math.min(tokens.length, after + 5); at++) {
    if (hasComma(tokens[at - 1]!)) return after;
    if (tokens[at]!.core === tokens[at]!.lower && beginsPredicate(tokens, at, lexicon)) return at;
  }
  return after;
}

/** Words that join two statements, each of which holds alone. */
const JOINS = /^(?:and|but|so|because|since|&|plus)$/;

function nextClause(tokens: readonly Token[], to: number): number | undefined {
  if (to === 0 || to >= tokens.length) return undefined;
  // "…, and these days I live in Swansea": the words before "I" were read with what stands before them.
  const isLed = tokens
    .slice(Math.max(0, to - MOST_LEAD), to)
    .some(({ lower }) => /^(?:and|but|so)$/.test(lower));
  if (tokens[to]!.bits & SELF && isLed) return to;
  let at = to;
  while (JOINS.test(tokens[at]?.lower ?? '')) at++;
  if (at === to && !hasComma(tokens[to - 1]!)) return undefined;
  const word = tokens[at];
  if (word === undefined) return undefined;
  if (word.bits & (SELF | OWN) || isUpper(word)) return at;
  // "…, and these days I live in Swansea".
  for (let lead = at + 1; lead < Math.min(tokens.length, at + MOST_LEAD); lead++)
    if (tokens[lead]!.bits & SELF) return lead;
  return undefined;
}

function predicatesOf(
  tokens: readonly Token[],
  from: number,
  certainty: number,
  lexicon: Lexicon,
): Predicate[] {
  const predicates: Predicate[] = [];
  let start = from;
  let before: VerbGroup | undefined;
  while (predicates.length < MOST_PREDICATES) {
    const read = verbGroupAt(tokens, start, lexicon);
    if (read === undefined) break;
    const verb = inherited({ ...read, certainty: Math.min(read.certainty, certainty) }, before, tokens);
    const to = endOfPredicate(tokens, verb.after, lexicon);
    const isOver = verb.denied && saysAnyMore(tokens, verb.after, to);
    // "I love Lucy is my favourite show": what follows the verb is another subject.
    if (to < tokens.length && tokens[to]!.bits & BE && !isJoint(tokens, to)) break;
    predicates.push({
      verb: isOver ? { ...verb, ended: true } : verb,
      from: verb.after,
      to,
      start,
      backThen: false,
    });
    before = verb;
    const next = nextPredicate(tokens, to, lexicon);
    if (next === undefined) break;
    start = next;
  }
  return predicates;
}

/** "I want to quit and move": the second verb is meant as the first is. */
function inherited(verb: VerbGroup, before: VerbGroup | undefined, tokens: readonly Token[]): VerbGroup {
  if (before === undefined) return verb;
  const isBaseForm =
    ((verbOf(tokens[verb.at]?.lower ?? '')?.forms ?? 0) & BASE) !== 0 && verb.tense === 'present';
  if (!isBaseForm) return verb;
  const { intent, tense, denied, formerly, willed } = before;
  if (intent === undefined && !denied && !formerly) return verb;
  if (verb.denied) return verb;
  return { ...verb, intent, tense, denied, formerly, willed };
}

/** Returns the index at which the words after a verb end: at another clause, another verb, or a full stop. */
function endOfPredicate(tokens: readonly Token[], from: number, lexicon: Lexicon): number {
  // "Bruno died, I'm devastated": nothing stands behind the verb.
  if (from < tokens.length && isJoint(tokens, from) && startsClause(tokens, afterJoint(tokens, from)))
    return from;
  for (let at = from; at < tokens.length; at++) {
    const word = tokens[at]!;
    if (at > from && isJoint(tokens, at)) {
      const next = afterJoint(tokens, at);
      if (startsClause(tokens, next) || beginsPredicate(tokens, next, lexicon)) return at;
      if (isNamedSubject(tokens, next, lexicon) || isOtherSubject(tokens, at, next)) return at;
    }
    if (word.bits & CONNECTIVE && !staysInPhrase(tokens, at, from)) return at;
    if (at > from && word.bits & SELF && !(tokens[at - 1]!.bits & PREPOSITION)) return at;
    if (at > from && word.bits & BE && !/^be/.test(word.lower)) return at;
    if (/^(?:he|she|they)$/.test(word.lower) && at > from) return at;
    if (endsPhrase(word) && !isAbbreviated(word)) return at + 1;
  }
  return tokens.length;
}

/** "… and mondays are mental", "…, rents are crazy": a phrase and a form of "be" begin another clause. */
function isOtherSubject(tokens: readonly Token[], joint: number, from: number): boolean {
  const first = tokens[from];
  if (first === undefined || !isJoint(tokens, joint)) return false;
  if (first.bits & (PREPOSITION | CONNECTIVE)) return false;
  for (let at = from + 1; at < Math.min(tokens.length, from + 4); at++) {
    const { bits } = tokens[at]!;
    if (bits & BE && !/^be/.test(tokens[at]!.lower)) return true;
    if (bits & (PREPOSITION | COORDINATOR | CONNECTIVE) || hasComma(tokens[at - 1]!)) return false;
  }
  return false;
}

/** "Noor lives in Basel and Leila lives in Lille": a name and its verb begin another clause. */
function isNamedSubject(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  const word = tokens[at];
  if (word === undefined || !isUpper(word)) return false;
  const end = endOfNameAt(tokens, at);
  const verb = tokens[end];
  return (
    end - at <= 2 &&
    verb !== undefined &&
    !endsPhrase(tokens[end - 1]!) &&
    ((verbOf(verb.lower)?.forms ?? 0) & (THIRD | PAST_FORM)) !== 0 &&
    beginsPredicate(tokens, end, lexicon)
  );
}

const isAbbreviated = ({ core, tail }: Token): boolean =>
  tail === '.' && /^(?:[A-Z]|Mr|Mrs|Ms|Dr|St|Prof|Jr|Sr)$/.test(core);

/** "Since 2019", "as a nurse", "like", "than": no other clause begins. */
function staysInPhrase(tokens: readonly Token[], at: number, from: number): boolean {
  const { bits, lower } = tokens[at]!;
  if (lower === 'so' || lower === 'that' || lower === 'but') return at === from && lower !== 'but';
  if (!(bits & PREPOSITION)) return false;
  const next = tokens[at + 1];
  return next === undefined || !(next.bits & (SELF | PRONOUN)) || lower === 'like' || lower === 'as';
}

const isJoint = (tokens: readonly Token[], at: number): boolean =>
  (tokens[at]!.bits & COORDINATOR) !== 0 ||
  hasComma(tokens[at - 1]!) ||
  /^(?:but|then)$/.test(tokens[at]!.lower);

function afterJoint(tokens: readonly Token[], at: number): number {
  let next = at;
  while (
    tokens[next] !== undefined &&
    (tokens[next]!.bits & COORDINATOR || /^(?:but|then|so)$/.test(tokens[next]!.lower))
  )
    next++;
  return next;
}

const startsClause = (tokens: readonly Token[], at: number): boolean => {
  const word = tokens[at];
  if (word === undefined) return false;
  if (word.bits & SELF || /^(?:he|she|it|they|you|there|this|that|not)$/.test(word.lower)) return true;
  // "my sister lives …" after a comma is a clause; "my dog" in a list is not.
  if (word.bits & OWN)
    return tokens
      .slice(at + 2, at + 6)
      .some(each => (each.bits & (BE | HAVE | UNREAL | NEGATION | DO)) !== 0);
  return false;
};

function nextPredicate(tokens: readonly Token[], to: number, lexicon: Lexicon): number | undefined {
  if (to >= tokens.length || to === 0) return undefined;
  const isJoined = isJoint(tokens, to) && !endsPhrase(tokens[to - 1]!);
  if (!isJoined) return undefined;
  const next = afterJoint(tokens, to);
  return startsClause(tokens, next) || !beginsPredicate(tokens, next, lexicon) ? undefined : next;
}

/** "I ate it daily when I lived in Taichung": a second predicate, of a time that is over. */
function formerlyIn(tokens: readonly Token[], from: number, lexicon: Lexicon): Predicate[] {
  for (let at = from; at + 2 < tokens.length; at++) {
    if (!/^(?:when|while)$/.test(tokens[at]!.lower) || !(tokens[at + 1]!.bits & SELF)) continue;
    const verb = verbGroupAt(tokens, at + 2, lexicon);
    if (verb === undefined || verb.tense !== 'past' || !PAST_STATES.has(verb.lemma)) return [];
    const to = endOfPredicate(tokens, verb.after, lexicon);
    return [{ verb, from: verb.after, to, start: at + 2, backThen: true }];
  }
  return [];
}
