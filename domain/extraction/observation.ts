import type { DatedSentence } from './dates/dates.ts';
import type { Entity } from './names/entities.ts';
import { GIVEN_NAMES, NOT_NAMES } from './names/known-names.ts';
import { pointsOutside } from './self-contained.ts';
import type { Lexicon } from './sentences/lexicon.ts';
import { type Word, wordsOf } from './sentences/sentences.ts';
import { FIRST_PERSON, isStatement } from './sentences/statements.ts';
import { type Conversation, inThirdPerson } from './third-person.ts';
import { assistantTells, isUseful } from './useful.ts';
import type { Observed } from './wishes.ts';

const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)(?:teen|ty)|twenty|hundred|thousand|million)\b/i;
const THING_POINTERS = new Set(['it', "it's", 'its', 'that', "that's", 'this', 'these', 'those']);
/** A sentence that ends with one of these is incomplete. */
const UNFINISHED = new Set(['is', 'are', 'was', 'were', 'the', 'a', 'an', 'my', 'our', 'and', 'of', '']);
/**
 * Like `UNFINISHED`, for short sentences ("My boss would never …"). At the end of longer ones these words
 * refer back ("as I can").
 */
const CUT_SHORT = new Set(
  "i we he she they would will could should can might never do does did don't doesn't didn't won't can't wouldn't".split(
    ' ',
  ),
);
/** Substitutes for a link or address (see sentences.ts) in a sentence with no other object. */
const REPLACED = new Set(['link', 'address']);
const NO_OBJECT = /\b(?:is|are|was|at|to) (?:a link|an address)$/;
/** Start of a tail that is about something named in another sentence. */
const OUTSIDE_TAIL =
  /(?:,| -| \(|(?= (?:and|but|so|because|cause|since|as|which|when|if|though|although) )) ?(?:(?:and|but|so|because|cause|since|as|which|when|if|though|although) )?(?:it|its|it['’]s|that|that['’]s|thats|they|they['’]re|theyre|this|these|those|he|she|he['’]s|she['’]s|there|there['’]s)(?= |$).*$/i;
/** In characters. A sentence with many "I" grows by a name for each. */
const LONGEST_FACT = 600;
const lowerFirst = (words: readonly Word[], text: string, lexicon: Lexicon): string => {
  const { core, lower } = words[0]!;
  const plain = lower.replace(/'\w+$/, '');
  const proper =
    GIVEN_NAMES.has(plain) ||
    (NOT_NAMES.has(plain) && lower.length > 3 && !lexicon.isVerb(plain)) ||
    /^[A-Z].*[A-Z]/.test(core) ||
    !/^[A-Z]/.test(core);
  return proper || !lexicon.isCommon(plain) ? text : text.charAt(0).toLowerCase() + text.slice(1);
};

/** The setting of a clause: conversation, speaker and time. */
export interface Setting {
  conversation: Conversation;
  timestamp: number;
  names: readonly Entity[];
  persons: readonly string[];
  lexicon: Lexicon;
  /** Whether the sentence takes back a part of itself. */
  isTakenBack: boolean;
  /** Whether the speaker is an assistant, whose statements are about the user or nobody. */
  isAssistant: boolean;
}

/** A clause in its speaker's words, its dates made absolute, with the fact that a rule reads in it. */
export interface Part extends DatedSentence {
  words: readonly Word[];
  fact: Observed['fact'];
}

/** Returns the observation of one clause, or of its beginning if the rest refers to another sentence. */
export function observed(part: Part, setting: Setting): Observed | undefined {
  const { text, fact } = part;
  const tellOf = (said: string): Observed => (fact === undefined ? { text: said } : { text: said, fact });
  const whole = written(part, setting);
  if (whole !== OUTSIDE) return whole === undefined ? undefined : tellOf(whole);
  const head = text.replace(OUTSIDE_TAIL, '');
  if (head.length < text.length && head.split(' ').length > 2) {
    const said = written({ ...part, text: head, words: wordsOf(head) }, setting);
    if (said !== undefined && said !== OUTSIDE) return tellOf(said);
  }
  if (fact === undefined || fact.value === '') return undefined;
  const at = text.toLowerCase().indexOf(fact.value.toLowerCase());
  if (at < 0) return undefined;
  const upTo = text.slice(0, at + fact.value.length);
  const said = written({ ...part, text: upTo, words: wordsOf(upTo) }, setting);
  return said === undefined || said === OUTSIDE ? undefined : tellOf(said);
}

/** Marks a clause that points at something outside of itself. */
const OUTSIDE = Symbol('outside');

/**
 * Writes the clause in the third person. Undefined if it says nothing worth keeping, or can't be understood
 * alone.
 */
function written({ text, words, labels, fact }: Part, setting: Setting): string | typeof OUTSIDE | undefined {
  const hasFact = fact !== undefined;
  const { conversation, names, lexicon } = setting;
  if (words.length < 2) return undefined;
  const last = words.at(-1)!.lower;
  if (
    UNFINISHED.has(last) ||
    (words.length <= 5 && CUT_SHORT.has(last)) ||
    (REPLACED.has(last) && NO_OBJECT.test(text))
  )
    return undefined;
  const own = FIRST_PERSON.test(text);
  const others = names.filter(({ label }) => label !== conversation.listener && text.includes(label));
  const named = labels.length > 0 || others.length > 0;
  // "It should be 12": a number is not specific if the thing it describes is named in another sentence.
  const specific = named || (NUMBER.test(text) && (own || !THING_POINTERS.has(words[0]!.lower)));
  if (!hasFact && !isStatement(text, words, specific, own, lexicon)) return undefined;
  if (pointsOutside(words, lexicon)) return OUTSIDE;
  const ofNamed = others.some(({ label }) => text.startsWith(label));
  const stated = { text, words, own, named, ofNamed };
  const useful = setting.isAssistant ? assistantTells(stated, lexicon) : hasFact || isUseful(stated, lexicon);
  if (!useful) return undefined;
  // Without a first person, "you" means anyone.
  const listener = own ? conversation.listener : undefined;
  const said = inThirdPerson(words, { speaker: conversation.speaker, listener }, lexicon);
  if (said === undefined) return undefined;
  // A fact about another named person needs no "said".
  const isOfOther = fact !== undefined && fact.subject !== conversation.speaker;
  const whole = own || isOfOther ? said : `${conversation.speaker} said ${lowerFirst(words, said, lexicon)}`;
  // "I'm Ada" says nothing about Ada.
  if (whole.length > LONGEST_FACT || whole.startsWith(`${conversation.speaker} is ${conversation.speaker}`))
    return undefined;
  const sentence = whole.charAt(0).toUpperCase() + whole.slice(1);
  return '.!?…)'.includes(sentence.charAt(sentence.length - 1)) ? sentence : `${sentence}.`;
}
