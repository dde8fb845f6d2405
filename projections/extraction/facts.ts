import type { SaidFact, SaidObservation } from '../../schemas/facts.ts';
import { isMachine, saidIn } from './attributes/said-in.ts';
import { type DatedSentence, makeClauseAbsolute, makeDatesAbsolute } from './dates.ts';
import { GIVEN_NAMES, NOT_NAMES } from './known-names.ts';
import type { Lexicon } from './lexicon.ts';
import { withoutOpeners } from './openers.ts';
import { type Word, wordsOf } from './sentences.ts';
import { isWorthKeeping } from './stands-alone.ts';
import { FIRST_PERSON, isStatement, saysSomething } from './statements.ts';
import { type Conversation, inThirdPerson } from './third-person.ts';
import { withSubject } from './unsaid.ts';

/** Boundaries between clauses: the second clause is separate when it has its own subject. */
const CLAUSES =
  /(?:,?\s+(?:and|but|so)|:)\s+(?=(?:I|i|[Ii]['’](?:m|ve|d|ll)|we|we['’](?:re|ve|d|ll)|my|you|you['’](?:re|ve|ll)|let['’]s)\s)|,\s+(?=(?:[Ii]|[Ii]['’](?:m|ve|ll)|we|we['’](?:re|ve|ll)|let['’]s|don['’]t|please|check (?:it|this|them)|what (?:do|about|is)\b|how (?:do|about)\b|(?:do|can|could|would) you\b|any (?:idea|tip|suggestion|advice)|[A-Z][a-z]+ (?:is|has|was|had|will|can't|isn't))\s)/g;
const MOST_CLAUSES = 5;
const DEPENDENT =
  /^(?:when|while|if|since|because|as|although|though|after|before|once|until|whenever|even|where|by|for|in|on|at|with|without|to|during|despite|instead|from|so)\b|ing\b/i;
/** "… but if we ask them, we": the main clause follows the comma. */
const SUBORDINATE_END = /\b(?:if|when|while|since|because|although|though|after|before|once|until)\b[^,]*$/i;
/** "a photo: a photo of a lake" */
const PHOTO =
  /\b(?:an? )?(?:photo|picture|image|pic|video|screenshot)s?: (?=(?:an?|the) (?:[\w-]+ )?(?:photo|picture|image|photography|photograph|screenshot|video|pic)\b)/i;
const NUMBER =
  /\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)(?:teen|ty)|twenty|hundred|thousand|million)\b/i;
const THING_POINTERS = new Set(['it', "it's", 'its', 'that', "that's", 'this', 'these', 'those']);
/** A sentence that ends with one of these is incomplete. */
const UNFINISHED = new Set(['is', 'are', 'was', 'were', 'the', 'a', 'an', 'my', 'our', 'and', 'of', '']);
/**
 * The same for short sentences ("My boss would never …"). At the end of longer ones these words refer back ("as I can").
 */
const CUT_SHORT = new Set(
  "i we he she they would will could should can might never do does did don't doesn't didn't won't can't wouldn't".split(
    ' ',
  ),
);
/** "With kids I'd suggest:" */
const BEFORE_LIST =
  /(?<!\w)(?:suggest|recommend|propose|offer|are|is|say|said|include|includes|following)\s*:$/i;

/** What replaces a link or address (see sentences.ts), where the sentence has no other object. */
const REPLACED = new Set(['link', 'address']);
const NO_OBJECT = /\b(?:is|are|was|at|to) (?:a link|an address)$/;
/** The space is the only white space in a sentence (see sentences.ts). */
const PAUSES = '!.,;:… ';
const TRAILING =
  /,?\s(?:thanks|thank you|(?:ha){2,}|lo+l+|lmf?ao|though|tho|huh|btw|man|pls|please|you know(?: that)?|i (?:think|guess))$/i;
const QUOTED_FIRST_PERSON =
  /(?:^|\s|\()["“][^"”]*\b(?:i|me|my|mine|we|us|our)(?![\w-])|^[^"“]*\b(?:i|me|my|we|our)\b[^"“]*”/i;
/** "Sorry, I live in Bradford" */
const CORRECTING =
  /^(?:sorry|oops|correction|update|quick update|wait|no wait|no)(?:,|:|!|\s[–—-])\s(?=(?:I|i|my|My|we|We)\b)/i;
const MAY_TRAIL = new Set(
  'thanks you haha hahaha lol lmao though tho huh btw man pls please know that think guess'.split(' '),
);
/** "My van's back", "Mine's 16", "Dana's moving to Rome": 's is a verb here, not a possessive. */
const SHORT_VERB =
  /(?<=\p{L})['’]s (?=(?:an?|the|been|back(?=$| (?:from|in|at|home|to|on|with)\b)|not|so|too|very|really|still|now|in|on|at|from|gone|got|already|always|never|just|also|\d+|\p{L}{2,12}ing (?:his|her|their|my|our|an?|the|to|from))(?!\p{L}))/gu;
const PRONOUN_SHORT =
  /(?:^|[^\p{L}])(?:he|she|it|that|there|here|what|who|other|else|let|where|how|everyone|everything)$/iu;
const ASIDE = /,?\s*\b(?:like|as) I (?:said|mentioned|told you)(?: before| earlier| already)?\b,?/i;
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

export interface SentenceFacts {
  facts: SaidObservation[];
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
      // Other languages are skipped: without their grammar the observation could only quote the turn, and an observation
      // that repeats its turn is dropped from the hits.
      if (!english) return none;
      const facts: SaidObservation[] = [];
      const datesOf = (text: string): DatedSentence => makeClauseAbsolute(text, sentence, dated, timestamp);
      for (const clause of clausesOf(withoutOpeners(sentence, conversation.listener))) {
        facts.push(...factsOf(clause, conversation, names, { of: datesOf, at: timestamp }, lexicon));
      }
      return { facts, dates: dated.labels };
    },
  };
}

function clausesOf(sentence: string): string[] {
  const clauses: string[] = [];
  let from = 0;
  CLAUSES.lastIndex = 0;
  while (clauses.length < MOST_CLAUSES - 1) {
    const cut = CLAUSES.exec(sentence);
    if (cut === null) break;
    const head = sentence.slice(from, cut.index);
    if (DEPENDENT.test(head.slice(0, head.indexOf(' ')))) break;
    if (!standsAlone(head, cut[0].trimEnd() === ',')) continue;
    clauses.push(head);
    from = CLAUSES.lastIndex;
  }
  clauses.push(sentence.slice(from));
  return clauses;
}

/** "When I was young, I …" is one statement; "and I" after a noun is one subject. */
function standsAlone(head: string, beforeComma: boolean): boolean {
  const space = head.indexOf(' ');
  return (
    head.indexOf(' ', space + 1) >= 0 &&
    /\b(?:i|we|my|it|the|our|\w+ed)\b|['’]/i.test(head) &&
    !/^my \w+(?: \w+)?$/i.test(head) &&
    !(beforeComma && SUBORDINATE_END.test(head)) &&
    saysSomething(wordsOf(head), 1)
  );
}

const withLongVerbs = (text: string): string =>
  text.replace(SHORT_VERB, (short, at: number) => {
    if (PRONOUN_SHORT.test(text.slice(Math.max(0, at - 12), at))) return short;
    return /^(?:been|gone|got)\b/.test(text.slice(at + 3)) ? ' has ' : ' is ';
  });

/** The sentence, with what it says of a subject, and what it says beside it. */
function factsOf(
  clause: string,
  conversation: Conversation,
  names: readonly string[],
  dates: { of: (text: string) => DatedSentence; at: number },
  lexicon: Lexicon,
): SaidObservation[] {
  const found = saidIn(clause, conversation, { labels: dates.of(clause).labels, at: dates.at });
  const text = factOf(clause, conversation, names, dates.of, lexicon);
  const said = text === undefined ? undefined : saidAs(text, conversation, found.fact);
  return [...(said ? [said] : []), ...found.beside(said !== undefined)];
}

/** What an assistant did is kept; what it explains is not. */
const HAS_DONE =
  /^The \w+ (?:has |have )?(?:just )?(?:booked|ordered|scheduled|sent|added|set|created|cancell?ed|reserved|updated|saved|paid|moved|changed|refunded|renewed|opened|closed)\b/;

/** What a clause says of somebody who is named needs nobody who said it. Undefined for what isn't worth keeping. */
function saidAs(
  text: string,
  { speaker }: Conversation,
  fact: SaidFact | undefined,
): SaidObservation | undefined {
  if (!fact)
    return isWorthKeeping(text) && (!isMachine(speaker) || HAS_DONE.test(text)) ? { text } : undefined;
  const lead = `${speaker} said `;
  const isOther = fact.subject !== speaker && text.startsWith(lead);
  const bare = isOther ? text.charAt(lead.length).toUpperCase() + text.slice(lead.length + 1) : text;
  return { text: bare, fact };
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
  let text = clause
    .slice(0, end)
    .replace(/^(?:just|only) (?=last |yesterday|this |today)/i, '')
    .replace(CORRECTING, '');
  if (MAY_TRAIL.has(text.slice(text.lastIndexOf(' ') + 1).toLowerCase())) text = text.replace(TRAILING, '');
  if (text.includes(': ')) text = text.replace(PHOTO, '');
  if (/ I (?:said|mentioned|told)/.test(text)) text = text.replace(ASIDE, '');
  if (text === '' || (clause.endsWith(':') && BEFORE_LIST.test(clause))) return undefined;
  if (/['’]s /.test(text)) text = withLongVerbs(text);
  text = withSubject(text, lexicon);
  const dated = datesOf(text);
  const words = wordsOf(dated.text);
  if (words.length < 2) return undefined;
  const last = words.at(-1)!.lower;
  if (
    UNFINISHED.has(last) ||
    (words.length <= 5 && CUT_SHORT.has(last)) ||
    (REPLACED.has(last) && NO_OBJECT.test(dated.text))
  )
    return undefined;
  const own = FIRST_PERSON.test(dated.text);
  // `He said "I quit"`, the draft of a letter: a first person in quotation marks is another person.
  if (own && /["“”]/.test(text) && QUOTED_FIRST_PERSON.test(text)) return undefined;
  const named =
    dated.labels.length > 0 || names.some(name => name !== conversation.listener && text.includes(name));
  // "It should be 12": a number is not specific when the thing it describes is named in another sentence.
  const specific = named || (NUMBER.test(text) && (own || !THING_POINTERS.has(words[0]!.lower)));
  if (!isStatement(dated.text, words, specific, own, lexicon)) return undefined;
  // Without a first person, "you" means anyone.
  const listener = own ? conversation.listener : undefined;
  const said = inThirdPerson(words, { speaker: conversation.speaker, listener }, lexicon);
  if (said === undefined) return undefined;
  const whole = own ? said : `${conversation.speaker} said ${lowerFirst(words, said, lexicon)}`;
  if (whole.length > LONGEST_FACT) return undefined;
  const sentence = whole.charAt(0).toUpperCase() + whole.slice(1);
  return '.!?…)'.includes(sentence.charAt(sentence.length - 1)) ? sentence : `${sentence}.`;
}
