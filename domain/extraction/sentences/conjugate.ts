import type { Lexicon } from './lexicon.ts';
import type { Word } from './sentences.ts';
import { isAdverb, isBase, isParticiple, thirdPerson } from './verbs.ts';

/** Words that begin an object. */
const OBJECT_NEXT = new Set(
  (
    'it them him her my our the a an to that this their his some for with about in on at why ' +
    'how what where when me us if your you more new people'
  ).split(' '),
);
const CLAUSE_STARTS = new Set(['that', 'when', 'because', 'if', 'who', 'which', 'while']);
const CONJUNCTIONS = new Set(['and', 'or', 'but', 'then']);
/** "I mostly read" is a habit, "I read" may be past. */
const HABITS = new Set(['mostly', 'usually', 'often', 'sometimes', 'rarely', 'generally', 'mainly']);
const SAME_IN_PAST = new Set(['read', 'put', 'set', 'cut', 'hit', 'let', 'quit', 'bet', 'spread']);
/** Whether the word may be between the subject and its verb. */
export const skipsToVerb = (word: Word): boolean =>
  (isAdverb(word.lower) || /^(?:no|longer)$/.test(word.lower)) && word.tail === '';

/** Conjugates verbs: those whose subject was "I" or a listener take an -s. */
export const makeVerbs = (words: readonly Word[], lexicon: Lexicon) => {
  /** Whether the next verb belongs to such a subject. */
  let isPending = false;
  /** Whether such a verb was in the present, so that verbs joined to it by "and" take an -s too. */
  let isPresent = false;
  let last = -1;

  const conjugateFirst = (at: number): string => {
    const { lower, core, tail } = words[at]!;
    isPending = false;
    const habit = HABITS.has(words[at - 1]?.lower ?? '') && SAME_IN_PAST.has(lower);
    const verb = habit ? `${lower}s` : thirdPerson(lower);
    isPresent = verb !== lower && !/^(?:is|has|does|isn't|hasn't|doesn't)$/.test(verb);
    last = at;
    if (isPresent && /[,;:]/.test(tail)) isPresent = CONJUNCTIONS.has(words[at + 1]?.lower ?? '');
    return verb === lower ? core : verb;
  };

  return {
    /** Call after a subject. */
    follow: (takesS: boolean): void => {
      isPending = takesS;
    },
    /** Call when the subject becomes plural, or after its verb. */
    end: (): void => {
      isPending = false;
      isPresent = false;
    },
    /** Returns the word in the form that the subject requires. */
    conjugate: (at: number): string => {
      const word = words[at]!;
      const next = words[at + 1]?.lower ?? '';
      if (isPending) return skipsToVerb(word) ? word.core : conjugateFirst(at);
      // "I practice and train every day": the second verb directly follows the first, or has its own object.
      if (
        isPresent &&
        CONJUNCTIONS.has(words[at - 1]?.lower ?? '') &&
        isBase(word.lower, lexicon) &&
        (at - last <= 2 || OBJECT_NEXT.has(next))
      ) {
        last = at;
        return thirdPerson(word.lower);
      }
      // "I want to eat and sleep": after "to", or in a separate clause, the second verb is not the subject's.
      if (isPresent && ((word.lower === 'to' && isBase(next, lexicon)) || CLAUSE_STARTS.has(word.lower)))
        isPresent = false;
      return word.core;
    },
    isFollowed: (at: number): boolean => {
      const next = words[at + 1]?.lower;
      return (
        next !== undefined &&
        words[at]!.tail === '' &&
        (isBase(next, lexicon) || isAdverb(next) || /^(?:are|have|do|don't|haven't|aren't)$/.test(next))
      );
    },
    /** Whether the subject is plural, so that the verb stays unchanged: "My wife and I love it". */
    isCouple: (at: number): boolean =>
      at > 1 &&
      words[at - 1]!.lower === 'and' &&
      !/[,;]/.test(words[at - 2]!.tail) &&
      !isBaseBefore(words, at, lexicon),
  };
};
export type Verbs = ReturnType<typeof makeVerbs>;

/** Whether this "and" joins sentences, not people: "I work and I study". */
function isBaseBefore(words: readonly Word[], at: number, lexicon: Lexicon): boolean {
  for (let back = at - 2; back >= 0; back--) {
    const word = words[back]!;
    if (
      /^(?:i|we|i'm|i've|i'd|i'll|we're|we've|is|was|were|are|had|has|have|did|it's)$/.test(word.lower) ||
      isParticiple(word.lower)
    )
      return true;
    if (back === 0) return isBase(word.lower, lexicon);
  }
  return false;
}
