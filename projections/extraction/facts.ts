import { makeDatesAbsolute } from './dates.ts';
import { GIVEN_NAMES, NOT_NAMES } from './known-names.ts';
import type { Lexicon } from './lexicon.ts';
import { withoutOpeners } from './openers.ts';
import { type Word, wordsOf } from './sentences.ts';
import { contentWords, FIRST_PERSON, isStatement } from './statements.ts';
import { type Conversation, inThirdPerson } from './third-person.ts';
import { withSubject } from './unsaid.ts';

/** Where one sentence holds two: the second part stands alone when it has a subject of its own. */
const CLAUSES =
  /(?:,?\s+(?:and|but|so)|:)\s+(?=(?:I|i|I['’](?:m|ve|d|ll)|we|we['’](?:re|ve|ll)|my|let['’]s)\s)|,\s+(?=(?:I|I['’](?:m|ve|ll)|we['’](?:re|ve|ll)|let['’]s)\s)/;
const DEPENDENT =
  /^(?:when|while|if|since|because|as|although|though|after|before|once|until|whenever|even|where|by|for|in|on|at|with|without|to|during|despite|instead|from|so)\b|ing\b/i;
/** "a photo: a photo of a lake" */
const PHOTO =
  /\b(?:an? )?(?:photo|picture|image|pic|video|screenshot)s?: (?=(?:an?|the) (?:[\w-]+ )?(?:photo|picture|image|photography|photograph|screenshot|video|pic)\b)/i;
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)(?:teen|ty)|twenty|hundred|thousand|million)\b/i;
/** Its end was cut off. */
const UNFINISHED = new Set(['is', 'are', 'was', 'were', 'the', 'a', 'an', 'my', 'our', 'and', 'of', '']);
const TRAILING = /,?\s(?:thanks|thank you|haha|lol|though|huh|btw|man)$/i;
const ASIDE = /,?\s*\b(?:like|as) I (?:said|mentioned|told you)(?: before| earlier| already)?\b,?/i;
/** Characters: a sentence of nothing but "I" grows by a name for each. */
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

export interface SentenceFacts {
  facts: string[];
  /** ISO 8601 labels of the dates that the sentence names. */
  dates: string[];
}

export interface FactFinder {
  factsOf(
    sentence: string,
    words: readonly Word[],
    conversation: Conversation,
    timestamp: number,
    names: readonly string[],
    english: boolean,
  ): SentenceFacts;
}

export function makeFactFinder(lexicon: Lexicon): FactFinder {
  return {
    factsOf(sentence, words, conversation, timestamp, names, english) {
      const dated = makeDatesAbsolute(sentence, timestamp);
      const none = { facts: [], dates: dated.labels };
      if (/[?？؟]["'”’)]*$/.test(sentence) || words.length < 2) return none;
      // A sentence in another language is left out: without its grammar all that could be made of it is the turn
      // again between quotation marks, and an observation that repeats its turn takes no place among the hits.
      if (!english) return none;
      const facts: string[] = [];
      for (const clause of clausesOf(withoutOpeners(sentence, conversation.listener))) {
        const fact = factOf(clause, conversation, timestamp, names, dated.text !== sentence, lexicon);
        if (fact !== undefined) facts.push(fact);
      }
      return { facts, dates: dated.labels };
    },
  };
}

function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  let rest = sentence;
  for (let round = 0; round < 4; round++) {
    const cut = CLAUSES.exec(rest);
    if (cut === null) break;
    const head = rest.slice(0, cut.index);
    // "When I was young, I …" is one statement; "and I" behind a noun is one subject.
    if (
      head.split(' ').length < 3 ||
      DEPENDENT.test(head.split(' ')[0]!) ||
      contentWords(wordsOf(head)) === 0 ||
      !/\b(?:i|we|my|it|the|our|\w+ed)\b|['’]/i.test(head) ||
      /^my \w+(?: \w+)?$/i.test(head)
    )
      break;
    clauses.push(head);
    rest = rest.slice(cut.index + cut[0].length);
  }
  clauses.push(rest);
  return clauses;
}

function factOf(
  clause: string,
  conversation: Conversation,
  timestamp: number,
  names: readonly string[],
  hasDates: boolean,
  lexicon: Lexicon,
): string | undefined {
  let text = clause
    .replace(/[!.,;:…\s]+$/, '')
    .replace(/^(?:just|only) (?=last |yesterday|this |today)/i, '');
  if (TRAILING.test(text)) text = text.replace(TRAILING, '');
  if (text.includes(': ')) text = text.replace(PHOTO, '');
  if (/ I (?:said|mentioned|told)/.test(text)) text = text.replace(ASIDE, '');
  if (text === '') return undefined;
  text = withSubject(text, lexicon);
  const dated = hasDates ? makeDatesAbsolute(text, timestamp) : { text, labels: [] };
  const words = wordsOf(dated.text);
  if (
    words.length < 2 ||
    UNFINISHED.has(words.at(-1)!.lower) ||
    /\b(?:is|are|was|at|to) (?:a link|an address)$/.test(dated.text)
  )
    return undefined;
  const specific =
    names.some(name => name !== conversation.listener && text.includes(name)) ||
    dated.labels.length > 0 ||
    NUMBER.test(text);
  if (!isStatement(dated.text, words, specific, lexicon)) return undefined;
  const own = FIRST_PERSON.test(dated.text);
  // Without a first person "you" is anyone.
  const said = inThirdPerson(words, own ? conversation : { ...conversation, listener: undefined }, lexicon);
  if (said === undefined) return undefined;
  const whole = own ? said : `${conversation.speaker} said ${lowerFirst(words, said, lexicon)}`;
  if (whole.length > LONGEST_FACT) return undefined;
  const sentence = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?…)]$/.test(sentence) ? sentence : `${sentence}.`;
}
