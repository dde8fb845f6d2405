import type { Lexicon } from './lexicon.ts';
import type { Word } from './sentences.ts';
import { isAdverb, isBase, isParticiple, thirdPerson } from './verbs.ts';

/** Who speaks and, where known, to whom. */
export interface Conversation {
  /** "Ada", "The user". */
  speaker: string;
  /** "Grace", "the assistant"; undefined: a sentence that addresses someone can't be converted. */
  listener: string | undefined;
}

const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);
const OBJECT_NEXT = new Set([
  'it',
  'them',
  'him',
  'her',
  'my',
  'our',
  'the',
  'a',
  'an',
  'to',
  'that',
  'this',
  'their',
  'his',
  'some',
  'for',
  'with',
  'about',
  'in',
  'on',
  'at',
  'why',
  'how',
  'what',
  'where',
  'when',
  'me',
  'us',
  'if',
  'your',
  'you',
  'more',
  'new',
  'people',
]);
const CLAUSE_STARTS = new Set(['that', 'when', 'because', 'if', 'who', 'which', 'while']);
const CONJUNCTIONS = new Set(['and', 'or', 'but', 'then']);
/** "I mostly read" is a habit, "I read" may be past. */
const HABITS = new Set(['mostly', 'usually', 'often', 'sometimes', 'rarely', 'generally', 'mainly']);
const SAME_IN_PAST = new Set(['read', 'put', 'set', 'cut', 'hit', 'let', 'quit', 'bet', 'spread']);
const CONTRACTED = /^(i|we|you)'(m|ve|d|ll|re)$/;
/** Whether the word may stand between the subject and its verb. */
const skipsToVerb = (word: Word): boolean => isAdverb(word.lower) && word.tail === '';

/**
 * Converts a speaker's statement to the third person: "I took my dogs" → "Ada took their dogs", "my dogs like
 * me" → "Ada's dogs like Ada", "we're moving" → "Ada and others are moving". Undefined when it addresses
 * somebody unknown.
 */
export function inThirdPerson(
  words: readonly Word[],
  { speaker, listener }: Conversation,
  lexicon: Lexicon,
): string | undefined {
  let out = '';
  let named = false;
  let grouped = false;
  /** The next verb belongs to a subject that was "I" or a listener, so it takes an -s. */
  let verbPending = false;
  /** Such a verb was in the present, so verbs joined to it by "and" take an -s too. */
  let present = false;
  let lastVerb = -1;

  const name = (whom: string, first: boolean): string =>
    first || !whom.startsWith('The ') ? whom : `the ${whom.slice(4)}`;
  const subject = (): string => {
    const text = grouped ? 'they' : name(speaker, out === '');
    named = true;
    return text;
  };
  const group = (): string => {
    const text = named || grouped ? 'they' : `${name(speaker, out === '')} and others`;
    grouped = true;
    named = true;
    return text;
  };

  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const next = words[at + 1]?.lower ?? '';
    const put = (text: string): void => {
      out += `${out === '' ? '' : ' '}${word.lead}${text}${word.tail}`;
    };
    const contracted = word.lower.includes("'") ? CONTRACTED.exec(word.lower) : null;
    if (contracted !== null) {
      const [, who, verb] = contracted;
      if (who === 'you' && listener === undefined) return undefined;
      const plural = who === 'we' || (grouped && who === 'i');
      const afterAdverb = words.slice(at + 1, at + 4).find(candidate => !skipsToVerb(candidate))?.lower ?? '';
      const had = isParticiple(afterAdverb) || afterAdverb === 'better';
      const spelled =
        verb === 'm' || verb === 're'
          ? plural
            ? 'are'
            : 'is'
          : verb === 've'
            ? plural
              ? 'have'
              : 'has'
            : verb === 'll'
              ? 'will'
              : had
                ? 'had'
                : 'would';
      put(`${who === 'i' ? subject() : who === 'we' ? group() : name(listener!, out === '')} ${spelled}`);
      verbPending = false;
      present = false;
      continue;
    }
    switch (word.lower) {
      case 'i': {
        // "My wife and I love it": the subject is plural, so the verb stays.
        const joined = at > 1 && words[at - 1]!.lower === 'and' && !/[,;]/.test(words[at - 2]!.tail);
        const couple = joined && !isBaseBefore(words, at, lexicon);
        put(couple ? name(speaker, false) : subject());
        verbPending = !couple && !grouped;
        if (grouped) present = false;
        continue;
      }
      case 'we':
        put(group());
        verbPending = false;
        present = false;
        continue;
      case 'me':
        put(name(speaker, out === ''));
        named = true;
        continue;
      case 'us':
        put(named || grouped ? 'them' : `${name(speaker, out === '')} and others`);
        named = true;
        continue;
      case 'my':
      case 'our':
        put(named ? 'their' : possessive(name(speaker, out === '')));
        named = true;
        continue;
      case 'mine':
      case 'ours':
        put(named ? 'theirs' : possessive(name(speaker, out === '')));
        named = true;
        continue;
      case 'myself':
      case 'ourselves':
        put(
          named
            ? 'themselves'
            : `${name(speaker, out === '')}${word.lower === 'myself' ? '' : ' and others'}`,
        );
        continue;
      case 'you':
      case 'u':
        if (listener === undefined) return undefined;
        put(name(listener, out === ''));
        verbPending =
          at + 1 < words.length &&
          word.tail === '' &&
          (isBase(next, lexicon) || isAdverb(next) || /^(?:are|have|do|don't|haven't|aren't)$/.test(next));
        continue;
      case 'your':
      case 'yours':
      case 'yourself':
        if (listener === undefined) return undefined;
        put(word.lower === 'yourself' ? 'themselves' : possessive(name(listener, out === '')));
        continue;
    }
    if (verbPending) {
      if (skipsToVerb(word)) {
        put(word.core);
        continue;
      }
      verbPending = false;
      const habit = HABITS.has(words[at - 1]?.lower ?? '') && SAME_IN_PAST.has(word.lower);
      const verb = habit ? `${word.lower}s` : thirdPerson(word.lower);
      present = verb !== word.lower && !/^(?:is|has|does|isn't|hasn't|doesn't)$/.test(verb);
      put(verb === word.lower ? word.core : verb);
      lastVerb = at;
      if (present && /[,;:]/.test(word.tail)) present = CONJUNCTIONS.has(next);
      continue;
    }
    // "I practice and train every day": the second verb directly follows the first, or has its own object.
    if (
      present &&
      CONJUNCTIONS.has(words[at - 1]?.lower ?? '') &&
      isBase(word.lower, lexicon) &&
      (at - lastVerb <= 2 || OBJECT_NEXT.has(next))
    ) {
      put(thirdPerson(word.lower));
      lastVerb = at;
      continue;
    }
    // "I want to eat and sleep": after "to", or in a separate clause, the second verb is not the subject's.
    if (present && ((word.lower === 'to' && isBase(next, lexicon)) || CLAUSE_STARTS.has(word.lower)))
      present = false;
    put(word.core);
  }
  return out;
}

/** "I work and I study": the "and" joins sentences, not people. */
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
