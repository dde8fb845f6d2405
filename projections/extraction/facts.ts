import { type DatedSentence, makeClauseAbsolute, makeDatesAbsolute } from './dates.ts';
import { GIVEN_NAMES, NOT_NAMES } from './known-names.ts';
import type { Lexicon } from './lexicon.ts';
import { withoutOpeners } from './openers.ts';
import { type Word, wordsOf } from './sentences.ts';
import { FIRST_PERSON, isStatement, saysSomething } from './statements.ts';
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
/** What is left of a link (see sentences.ts), where it was all that the sentence had to show. */
const REPLACED = new Set(['link', 'address']);
const NO_OBJECT = /\b(?:is|are|was|at|to) (?:a link|an address)$/;
/** A sentence holds no other white space (see sentences.ts). */
const PAUSES = '!.,;:… ';
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
      const datesOf = (text: string): DatedSentence => makeClauseAbsolute(text, sentence, dated, timestamp);
      for (const clause of clausesOf(withoutOpeners(sentence, conversation.listener))) {
        const fact = factOf(clause, conversation, names, datesOf, lexicon);
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
    const space = head.indexOf(' ');
    if (
      head.indexOf(' ', space + 1) < 0 ||
      DEPENDENT.test(head.slice(0, space)) ||
      !saysSomething(wordsOf(head), 1) ||
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
  names: readonly string[],
  datesOf: (text: string) => DatedSentence,
  lexicon: Lexicon,
): string | undefined {
  let end = clause.length;
  while (end > 0 && PAUSES.includes(clause.charAt(end - 1))) end--;
  let text = clause.slice(0, end).replace(/^(?:just|only) (?=last |yesterday|this |today)/i, '');
  if (TRAILING.test(text)) text = text.replace(TRAILING, '');
  if (text.includes(': ')) text = text.replace(PHOTO, '');
  if (/ I (?:said|mentioned|told)/.test(text)) text = text.replace(ASIDE, '');
  if (text === '') return undefined;
  text = withSubject(text, lexicon);
  const dated = datesOf(text);
  const words = wordsOf(dated.text);
  if (words.length < 2) return undefined;
  const last = words.at(-1)!.lower;
  if (UNFINISHED.has(last) || (REPLACED.has(last) && NO_OBJECT.test(dated.text))) return undefined;
  const specific =
    names.some(name => name !== conversation.listener && text.includes(name)) ||
    dated.labels.length > 0 ||
    NUMBER.test(text);
  const own = FIRST_PERSON.test(dated.text);
  if (!isStatement(dated.text, words, specific, own, lexicon)) return undefined;
  // Without a first person "you" is anyone.
  const listener = own ? conversation.listener : undefined;
  const said = inThirdPerson(words, { speaker: conversation.speaker, listener }, lexicon);
  if (said === undefined) return undefined;
  const whole = own ? said : `${conversation.speaker} said ${lowerFirst(words, said, lexicon)}`;
  if (whole.length > LONGEST_FACT) return undefined;
  const sentence = whole.charAt(0).toUpperCase() + whole.slice(1);
  return '.!?…)'.includes(sentence.charAt(sentence.length - 1)) ? sentence : `${sentence}.`;
}
