import { makeVerbs, skipsToVerb, type Verbs } from './sentences/conjugate.ts';
import type { Lexicon } from './sentences/lexicon.ts';
import type { Word } from './sentences/sentences.ts';
import { isParticiple } from './sentences/verbs.ts';

/** The speaker and, when known, the listener. */
export interface Conversation {
  /** "Ada", "The user". */
  speaker: string;
  /** "Grace", "the assistant"; undefined if unknown: sentences that address someone can't be converted. */
  listener: string | undefined;
}

const possessive = (name: string): string => (/[sS]$/.test(name) ? `${name}'` : `${name}'s`);
const CONTRACTED = /^(i|we|you)'(m|ve|d|ll|re)$/;

/** Whether the word is "you" in any form, including contractions. */
const addresses = ({ lower }: Word): boolean =>
  /^(?:u|you|your|yours|yourself|you'(?:m|ve|d|ll|re))$/.test(lower);

/**
 * Converts a speaker's statement to the third person: "I took my dogs" → "Ada took their dogs", "my dogs like
 * me" → "Ada's dogs like Ada", "we're moving" → "Ada and others are moving". Undefined if it addresses an
 * unknown listener.
 */
export function inThirdPerson(
  words: readonly Word[],
  { speaker, listener = '' }: Conversation,
  lexicon: Lexicon,
): string | undefined {
  if (listener === '' && words.some(addresses)) return undefined;
  const names = makeNames(speaker, listener);
  const verbs = makeVerbs(words, lexicon);
  let out = '';
  for (const [at, word] of words.entries()) {
    const isFirst = out === '';
    const text =
      contraction(words, at, names, verbs, isFirst) ??
      subject(words, at, names, verbs, isFirst) ??
      names.otherThanSubject(word.lower, isFirst) ??
      verbs.conjugate(at);
    out += `${isFirst ? '' : ' '}${word.lead}${text}${word.tail}`;
  }
  return out;
}

/** Names the speaker, the speaker's group and the listener; a speaker who was already named is "they". */
const makeNames = (speaker: string, listener: string) => {
  let named = false;
  let grouped = false;
  const name = (whom: string, isFirst: boolean): string =>
    isFirst || !whom.startsWith('The ') ? whom : `the ${whom.slice(4)}`;
  const andOthers = (isFirst: boolean): string => `${name(speaker, isFirst)} and others`;
  const naming = (text: string): string => {
    named = true;
    return text;
  };

  return {
    /** Whether the speaker said "we". */
    isGroup: (): boolean => grouped,
    speaker: (): string => name(speaker, false),
    listener: (isFirst: boolean): string => name(listener, isFirst),
    i: (isFirst: boolean): string => naming(grouped ? 'they' : name(speaker, isFirst)),
    we: (isFirst: boolean): string => {
      const text = named || grouped ? 'they' : andOthers(isFirst);
      grouped = true;
      return naming(text);
    },
    /** Replaces pronouns that no verb follows; undefined for any other word. */
    otherThanSubject: (word: string, isFirst: boolean): string | undefined => {
      switch (word) {
        case 'me':
          return naming(name(speaker, isFirst));
        case 'us':
          return naming(named || grouped ? 'them' : andOthers(isFirst));
        case 'my':
        case 'our':
          return naming(named ? 'their' : possessive(name(speaker, isFirst)));
        case 'mine':
        case 'ours':
          return naming(named ? 'theirs' : possessive(name(speaker, isFirst)));
        case 'myself':
          return named ? 'themselves' : name(speaker, isFirst);
        case 'ourselves':
          return named ? 'themselves' : andOthers(isFirst);
        case 'your':
        case 'yours':
          return possessive(name(listener, isFirst));
        case 'yourself':
          return 'themselves';
        default:
          return undefined;
      }
    },
  };
};

type Names = ReturnType<typeof makeNames>;

/** Converts "I", "we" and "you"; undefined for any other word. */
const subject = (
  words: readonly Word[],
  at: number,
  names: Names,
  verbs: Verbs,
  isFirst: boolean,
): string | undefined => {
  switch (words[at]!.lower) {
    case 'i': {
      const isCouple = verbs.isCouple(at);
      if (names.isGroup()) verbs.end();
      else verbs.follow(!isCouple);
      return isCouple ? names.speaker() : names.i(isFirst);
    }
    case 'we':
      verbs.end();
      return names.we(isFirst);
    case 'you':
    case 'u':
      verbs.follow(verbs.isFollowed(at));
      return names.listener(isFirst);
    default:
      return undefined;
  }
};

/** Converts "I'm", "we've", "you'd" to subject and verb; undefined for any other word. */
const contraction = (
  words: readonly Word[],
  at: number,
  names: Names,
  verbs: Verbs,
  isFirst: boolean,
): string | undefined => {
  const { lower } = words[at]!;
  const [, who, verb] = (lower.includes("'") && CONTRACTED.exec(lower)) || [];
  if (who === undefined || verb === undefined) return undefined;
  const isPlural = who === 'we' || (who === 'i' && names.isGroup());
  const afterAdverb = words.slice(at + 1, at + 4).find(candidate => !skipsToVerb(candidate))?.lower ?? '';
  const isHad = isParticiple(afterAdverb) || afterAdverb === 'better';
  verbs.end();
  const named = who === 'i' ? names.i(isFirst) : who === 'we' ? names.we(isFirst) : names.listener(isFirst);
  return `${named} ${spelledOut(verb, isPlural, isHad)}`;
};

const spelledOut = (verb: string, isPlural: boolean, isHad: boolean): string => {
  if (verb === 've') return isPlural ? 'have' : 'has';
  if (verb === 'll') return 'will';
  if (verb === 'd') return isHad ? 'had' : 'would';
  return isPlural ? 'are' : 'is';
};
