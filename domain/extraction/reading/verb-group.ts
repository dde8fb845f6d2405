import type { Lexicon } from '../sentences/lexicon.ts';
import { isAdverb, isBase, isParticiple, isPast } from '../sentences/verbs.ts';
import type { Token } from './tokens.ts';
import { comesTo, leadOf } from './verb-leads.ts';
import { BASE, ING, PARTICIPLE, PAST_FORM, THIRD, verbOf } from './verbs.ts';
import { ADVERB, BE, DO, HAVE, NEGATION, PAST, PREPOSITION, SELF, UNREAL, WILL } from './word-classes.ts';

/** The verb of a predicate with its auxiliaries: when, whether and how surely it is said. */
export interface VerbGroup {
  /** Infinitive of the main verb; its form where the verb is none that matters. */
  lemma: string;
  tense: 'present' | 'past' | 'perfect' | 'future';
  /** "I'm moving": for an event, this is a plan. */
  progressive: boolean;
  /** "Not", "never". */
  denied: boolean;
  /** "No longer", "not … any more". */
  ended: boolean;
  /** A wish or an intention: "I want to", "I'm going to". */
  intent: 'wish' | 'plan' | undefined;
  /** Only "will" expresses the intention, so it may be a promise of the moment or a plan. */
  willed: boolean;
  /** "Used to", "stopped being": it was so for a time, and is no longer. */
  formerly: boolean;
  /** 1, or less where the speaker isn't sure ("probably"). */
  certainty: number;
  /** Index of the main verb, and of the first word after it. */
  at: number;
  after: number;
}

const AS_GOOD_AS = new Set(['practically', 'basically', 'virtually', 'essentially']);
const UNSURE = new Set(['probably', 'maybe', 'perhaps', 'possibly', 'apparently']);
/** "I can't play tennis any more". */
const PRACTISED = new Set(['play', 'do', 'ride', 'drive', 'run', 'practise', 'practice']);
const INABILITY = new Set(['eat', 'have', 'drink', 'tolerate', 'stand', 'bear', 'do', 'take']);

const bare = (): VerbGroup => ({
  lemma: '',
  tense: 'present',
  progressive: false,
  denied: false,
  ended: false,
  intent: undefined,
  willed: false,
  formerly: false,
  certainty: 1,
  at: 0,
  after: 0,
});

/**
 * Reads the verb group that begins at `from`, after a subject. Undefined where nothing real is said ("would",
 * "almost", an obligation) or no verb is there.
 */
export function verbGroupAt(tokens: readonly Token[], from: number, lexicon: Lexicon): VerbGroup | undefined {
  const group = bare();
  let at = from;
  /** The auxiliary before the main verb, which is "be" or "have" itself where no other verb follows. */
  let auxiliary = -1;
  let tense: VerbGroup['tense'] | undefined;
  for (; at < tokens.length && at < from + 10; at++) {
    const { bits, lower } = tokens[at]!;
    if (UNSURE.has(lower)) group.certainty = 0.6;
    // "Practically married", "basically a lawyer": not so.
    else if (AS_GOOD_AS.has(lower)) return undefined;
    else if (bits & UNREAL)
      return lower === "can't" || lower === 'cannot' ? unable(tokens, at, group) : undefined;
    else if (lower === 'no' && tokens[at + 1]?.lower === 'longer') {
      group.ended = true;
      at++;
    } else if (lower === 'used' && tokens[at + 1]?.lower === 'to' && auxiliary < 0) {
      group.formerly = true;
      tense = 'past';
      at++;
    } else if (bits & BE && lower !== 'being') {
      if (bits & NEGATION) group.denied = true;
      if (lower === 'been' || lower === 'be') tense ??= 'perfect';
      else tense = bits & PAST ? 'past' : 'present';
      auxiliary = at;
    } else if (bits & HAVE && isAuxiliaryHave(tokens, at)) {
      if (bits & NEGATION) group.denied = true;
      tense = bits & PAST ? 'past' : 'perfect';
      // "I've got two cats" has them.
      if (mainAfter(tokens, at) === 'got' && isOwned(tokens, at)) {
        group.lemma = 'have';
        group.tense = 'present';
        group.at = tokens.findIndex((each, index) => index > at && each.lower === 'got');
        group.after = group.at + 1;
        return group;
      }
      auxiliary = -1;
    } else if (bits & WILL) {
      if (bits & NEGATION) group.denied = true;
      tense = 'future';
    } else if (bits & DO && (bits & NEGATION || isBaseNext(tokens, at, lexicon))) {
      if (bits & NEGATION) group.denied = true;
      tense = bits & PAST ? 'past' : 'present';
    } else if (lower === 'not' && /^(?:just|only|merely)$/.test(tokens[at + 1]?.lower ?? '')) continue;
    else if (bits & NEGATION && lower !== 'no' && lower !== 'neither' && lower !== 'nor') group.denied = true;
    else if ((bits & ADVERB || isAdverb(lower)) && !(bits & PREPOSITION) && at < tokens.length - 1) {
      if (lower === 'about' && auxiliary >= 0) break;
    } else break;
  }
  return withMainVerb(
    tokens,
    at,
    auxiliary,
    { ...group, tense: tense ?? 'present' },
    tense !== undefined,
    lexicon,
  );
}

const mainAfter = (tokens: readonly Token[], at: number): string => {
  for (let next = at + 1; next < Math.min(tokens.length, at + 4); next++) {
    const { bits, lower } = tokens[next]!;
    if (!(bits & ADVERB) && !isAdverb(lower) && lower !== 'not' && lower !== 'never') return lower;
  }
  return '';
};
const isAuxiliaryHave = (tokens: readonly Token[], at: number): boolean =>
  isParticiple(mainAfter(tokens, at));
const isOwned = (tokens: readonly Token[], at: number): boolean => {
  const got = tokens.findIndex((each, index) => index > at && each.lower === 'got');
  return tokens[got + 1]?.lower !== 'to';
};
const isBaseNext = (tokens: readonly Token[], at: number, lexicon: Lexicon): boolean => {
  const next = mainAfter(tokens, at);
  return isBase(next, lexicon) || ((verbOf(next)?.forms ?? 0) & BASE) !== 0;
};

/** Doings that somebody had to do, and so did. */
const HAD_TO = new Set('give leave sell stop quit move resign drop cancel retire relocate'.split(' '));

/** Completes the group with the verb at `at`, or with the "be" or "have" before it. */
function withMainVerb(
  tokens: readonly Token[],
  at: number,
  auxiliary: number,
  group: VerbGroup,
  isTensed: boolean,
  lexicon: Lexicon,
): VerbGroup | undefined {
  const main = tokens[at];
  const afterBe = auxiliary >= 0;
  if (main === undefined) return afterBe ? { ...group, lemma: 'be', at: auxiliary, after: at } : undefined;
  if (comesTo(tokens, at))
    return { ...group, lemma: tokens[at + 2]!.lower, tense: 'present', at: at + 2, after: at + 3 };
  // "I had to give up tennis": it was done.
  if (
    main.lower === 'had' &&
    !group.denied &&
    tokens[at + 1]?.lower === 'to' &&
    HAD_TO.has(verbOf(tokens[at + 2]?.lower ?? '')?.lemma ?? '')
  ) {
    const done = verbGroupAt(tokens, at + 2, lexicon);
    return done && { ...done, tense: done.ended ? 'present' : 'past', certainty: group.certainty };
  }
  const lead = leadOf(tokens, at, afterBe);
  if (lead !== undefined) {
    if (lead.intent === undefined || group.denied) return undefined;
    // "I planned to move" doesn't say whether it happened.
    if (group.tense === 'past' && main.lower !== 'decided') return undefined;
    const next = verbGroupAt(tokens, lead.after, lexicon) ?? gerundAt(tokens, lead.after);
    if (next === undefined || next.intent !== undefined) return next;
    return { ...next, intent: lead.intent, tense: 'future', progressive: false, certainty: group.certainty };
  }
  const stopped = stoppedAt(tokens, at, group);
  if (stopped !== undefined) return stopped;
  const verb = verbOf(main.lower);
  if (afterBe && !(verb && verb.forms & ING && main.lower !== 'being'))
    return { ...group, lemma: 'be', at: auxiliary, after: at };
  const form = verb?.forms ?? 0;
  const progressive = afterBe && (form & ING) !== 0;
  let tense = group.tense;
  if (!isTensed) {
    const isPastForm = verb
      ? (form & PAST_FORM) !== 0 && !(form & BASE && isPresentLike(tokens, at))
      : isPast(main.lower);
    tense = isPastForm ? 'past' : 'present';
    if (verb && !(form & (BASE | THIRD | PAST_FORM | PARTICIPLE))) return undefined;
  }
  const willed = tense === 'future';
  return {
    ...group,
    lemma: verb?.lemma ?? main.lower,
    tense,
    progressive,
    ...(willed && { intent: 'plan' as const, willed }),
    at,
    after: at + 1,
  };
}

/** "Of moving to Berlin": the verb of what is considered. */
function gerundAt(tokens: readonly Token[], at: number): VerbGroup | undefined {
  const verb = verbOf(tokens[at]?.lower ?? '');
  return verb && verb.forms & ING ? { ...bare(), lemma: verb.lemma, at, after: at + 1 } : undefined;
}

/** Whether a form that is present and past alike ("quit", "read") is present here. */
const isPresentLike = (tokens: readonly Token[], at: number): boolean =>
  /^(?:usually|often|always|sometimes|still)$/.test(tokens[at - 1]?.lower ?? '') ||
  tokens[at]!.lower === 'found' ||
  tokens[at]!.lower === 'read';

const STOPS = new Set(['stop', 'quit']);
/** Doings of which a frame of its own reads the end. */
const OWN_END = /^(?:eating|drinking|having|smoking|vaping|cooking)$/;
/** "I've stopped being vegan", "Mum stopped taking warfarin": the state is over. */
function stoppedAt(tokens: readonly Token[], at: number, group: VerbGroup): VerbGroup | undefined {
  const verb = verbOf(tokens[at]!.lower);
  const isUp = verb?.lemma === 'give' && tokens[at + 1]?.lower === 'up';
  if (verb === undefined || !(STOPS.has(verb.lemma) || isUp)) return undefined;
  const next = isUp ? at + 2 : at + 1;
  const doing = tokens[next]?.lower ?? '';
  const stopped = verbOf(doing);
  if (doing !== 'being' && (stopped === undefined || !(stopped.forms & ING) || OWN_END.test(doing)))
    return undefined;
  if (group.denied || group.tense === 'future') return undefined;
  return { ...group, lemma: stopped?.lemma ?? 'be', tense: 'present', ended: true, at, after: next + 1 };
}

/** Reads inability as a fact: "I can't eat gluten" tells of a diet, "I can't stand opera" of a taste. */
function unable(tokens: readonly Token[], at: number, group: VerbGroup): VerbGroup | undefined {
  let main = at + 1;
  while (tokens[main] !== undefined && tokens[main]!.bits & ADVERB) main++;
  const lemma = verbOf(tokens[main]?.lower ?? '')?.lemma ?? '';
  const isOver =
    PRACTISED.has(lemma) && tokens.slice(main).some(({ lower }) => /^(?:anymore|more|longer)$/.test(lower));
  if (!INABILITY.has(lemma) && !isOver) return undefined;
  return { ...group, lemma, denied: true, at: main, after: main + 1 };
}

/** Whether the word at `at` may be the finite verb of another predicate of the same subject. */
export function beginsPredicate(tokens: readonly Token[], at: number, lexicon: Lexicon): boolean {
  let next = at;
  while (tokens[next] !== undefined && tokens[next]!.bits & ADVERB && !(tokens[next]!.bits & PREPOSITION))
    next++;
  const word = tokens[next];
  if (word === undefined || word.bits & SELF) return false;
  if (word.bits & (BE | HAVE | DO | WILL | UNREAL) && word.lower !== 'being' && word.lower !== 'having')
    return true;
  const verb = verbOf(word.lower);
  if (verb !== undefined) return (verb.forms & (BASE | THIRD | PAST_FORM)) !== 0 && word.core === word.lower;
  return word.core === word.lower && isPast(word.lower) && lexicon.isVerb(word.lower);
}
