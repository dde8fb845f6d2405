import { type Clause, factOfClause } from './attributes/find.ts';
import { mentionsIn, mentionText } from './attributes/subject.ts';
import { valueOf } from './attributes/values.ts';
import { clausesOf } from './clauses.ts';
import { halvesOf } from './coordination.ts';
import { type DatedSentence, makeClauseAbsolute, makeDatesAbsolute } from './dates.ts';
import type { Entity } from './entities.ts';
import { GIVEN_NAMES, NOT_NAMES } from './known-names.ts';
import type { Lexicon } from './lexicon.ts';
import { withoutOpeners } from './openers.ts';
import { isBroken, pointsOutside } from './self-contained.ts';
import { type Word, wordsOf } from './sentences.ts';
import { FIRST_PERSON, isStatement } from './statements.ts';
import { type Conversation, inThirdPerson } from './third-person.ts';
import { tidyClause } from './tidy.ts';
import { assistantTells, isUseful } from './useful.ts';
import { type Observed, wishOf } from './wishes.ts';

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
/** What replaces a link or address (see sentences.ts), where the sentence has no other object. */
const REPLACED = new Set(['link', 'address']);
const NO_OBJECT = /\b(?:is|are|was|at|to) (?:a link|an address)$/;
const QUOTED_FIRST_PERSON =
  /(?:^|\s|\()["“][^"”]*\b(?:i|me|my|mine|we|us|our)(?![\w-])|^[^"“]*\b(?:i|me|my|we|our)\b[^"“]*”/i;
/** From here on a sentence speaks of something else that another sentence names. */
const OUTSIDE_TAIL =
  /(?:,| -| \(|(?= (?:and|but|so|because|cause|since|as|which|when|if|though|although) )) ?(?:(?:and|but|so|because|cause|since|as|which|when|if|though|although) )?(?:it|its|it['’]s|that|that['’]s|thats|they|they['’]re|theyre|this|these|those|he|she|he['’]s|she['’]s|there|there['’]s)(?= |$).*$/i;
/** In characters. A sentence with many "I" grows by a name for each. */
const LONGEST_FACT = 600;
/** Who isn't asked about themselves: what they say is of the user, or of nobody. */
const ASSISTANTS = /^The (?:assistant|system|tool|ai|bot|model|function)$/;

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
  facts: Observed[];
  /** ISO 8601 labels of the dates that the sentence names. */
  dates: string[];
}

/** Where and when a clause is said. */
interface Setting {
  conversation: Conversation;
  timestamp: number;
  names: readonly Entity[];
  persons: readonly string[];
  lexicon: Lexicon;
}

export interface FactFinder {
  factsOf(
    sentence: string,
    words: readonly Word[],
    conversation: Conversation,
    timestamp: number,
    names: readonly Entity[],
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
      const persons = names
        .filter(({ kind }) => kind === 'person' || kind === 'other')
        .map(({ label }) => label);
      const setting: Setting = { conversation, timestamp, names, persons, lexicon };
      const facts: Observed[] = [];
      const datesOf = (text: string): DatedSentence => makeClauseAbsolute(text, sentence, dated, timestamp);
      for (const clause of clausesOf(withoutOpeners(sentence, conversation.listener)))
        facts.push(...observedIn(clause, datesOf, setting));
      return { facts, dates: dated.labels };
    },
  };
}

function observedIn(
  clause: string,
  datesOf: (text: string) => DatedSentence,
  setting: Setting,
): Observed[] {
  const { conversation, lexicon, timestamp, persons } = setting;
  const text = tidyClause(clause, lexicon);
  if (text === undefined) return [];
  const wish = wishOf(text, conversation);
  if (wish !== undefined) return [wish];
  // `He said "I quit"`, the draft of a letter: a first person in quotation marks is another person.
  if (/["“”]/.test(text) && QUOTED_FIRST_PERSON.test(text)) return [];
  const dated = datesOf(text);
  const isAssistant = ASSISTANTS.test(conversation.speaker);
  const factIn = (part: DatedSentence): Observed['fact'] => {
    const said: Clause = { ...part, speaker: conversation.speaker, persons, timestamp };
    return isAssistant ? undefined : factOfClause(said, lexicon);
  };
  const words = wordsOf(dated.text);
  if (isBroken(words, lexicon)) return [];
  const found = [...partsOf(dated, words, factIn, timestamp)].flatMap(part => observed(part, setting) ?? []);
  if (isAssistant) return found;
  const formerly = formerlyIn(dated.text).flatMap(part => observed(partOf(makeDatesAbsolute(part, timestamp), factIn), setting) ?? []);
  found.push(...formerly.filter(({ fact }) => fact !== undefined));
  return [...found, ...found.flatMap(each => workplaceIn(each, dated.text, lexicon)), ...relatedIn(text, conversation.speaker, found)];
}

const FORMERLY = / (?:back )?(?:when|while) ((?:I|we) (?:lived|worked|studied|was living|was working|was studying) (?:in|at|for|as) .+)/;

/** "I ate it when I lived in Taichung": where the speaker lived is a fact of its own. */
const formerlyIn = (text: string): string[] => {
  const clause = / when | while /.test(text) ? FORMERLY.exec(text)?.[1] : undefined;
  return clause === undefined ? [] : [clause];
};

/** "A nurse at St Mary's": where, apart from as what. */
function workplaceIn({ fact }: Observed, text: string, lexicon: Lexicon): Observed[] {
  if (fact?.attribute !== 'job' || fact.ended) return [];
  const at = text.toLowerCase().indexOf(fact.value.toLowerCase());
  const place = /^ (?:at|for|with) (?=\p{L})(?!(?:a|an) living|least|night|the moment|now|home)(.+)/u.exec(text.slice(at + fact.value.length))?.[1];
  const value = at < 0 || place === undefined ? undefined : valueOf(place, 'organization', lexicon);
  if (value === undefined) return [];
  const { subject } = fact;
  const where = place!.slice(0, place!.indexOf(value) + value.length).replace(/^(?:my|our) /i, 'their ');
  return [{ text: `${subject.charAt(0).toUpperCase()}${subject.slice(1)} works at ${where}.`, fact: { ...fact, attribute: 'employer', value } }];
}

/** Who is whose, of the people that the clause names by both: "Ada's sister is called Ana." */
function relatedIn(text: string, speaker: string, found: readonly Observed[]): Observed[] {
  return mentionsIn(text)
    .filter(({ attribute, name }) => !found.some(({ fact }) => fact?.attribute === attribute && fact.value === name))
    .map(mention => ({
      text: mentionText(speaker, mention),
      fact: { subject: speaker, attribute: mention.attribute, value: mention.name },
    }));
}

/** A clause with what its rule reads. */
interface Part extends DatedSentence {
  words: readonly Word[];
  fact: Observed['fact'];
}

const partOf = (dated: DatedSentence, factIn: (part: DatedSentence) => Observed['fact']): Part => ({
  ...dated,
  words: wordsOf(dated.text),
  fact: factIn(dated),
});

/** The clause, or both of its halves where each gives a fact. */
function partsOf(
  dated: DatedSentence,
  words: readonly Word[],
  factIn: (part: DatedSentence) => Observed['fact'],
  timestamp: number,
): Part[] {
  const whole: Part = { ...dated, words, fact: factIn(dated) };
  if (whole.fact === undefined) return [whole];
  const halves = halvesOf(dated.text).map(half => partOf(makeDatesAbsolute(half, timestamp), factIn));
  return halves.length > 1 && halves.every(({ fact }) => fact !== undefined) ? halves : [whole];
}

/** The observation of one clause, or of its beginning where the rest speaks of what another sentence names. */
function observed(part: Part, setting: Setting): Observed | undefined {
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

/** Of a clause that points at something outside of itself. */
const OUTSIDE = Symbol('outside');

/** The clause in the third person. Undefined where it says nothing worth keeping, or can't be understood by itself. */
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
  // "It should be 12": a number is not specific when the thing it describes is named in another sentence.
  const specific = named || (NUMBER.test(text) && (own || !THING_POINTERS.has(words[0]!.lower)));
  if (!hasFact && !isStatement(text, words, specific, own, lexicon)) return undefined;
  if (pointsOutside(words, lexicon)) return OUTSIDE;
  const ofNamed = others.some(({ label }) => text.startsWith(label));
  const stated = { text, words, own, named, ofNamed };
  const useful = ASSISTANTS.test(conversation.speaker)
    ? assistantTells(stated, lexicon)
    : hasFact || isUseful(stated, lexicon);
  if (!useful) return undefined;
  // Without a first person, "you" means anyone.
  const listener = own ? conversation.listener : undefined;
  const said = inThirdPerson(words, { speaker: conversation.speaker, listener }, lexicon);
  if (said === undefined) return undefined;
  const whole = own ? said : `${conversation.speaker} said ${lowerFirst(words, said, lexicon)}`;
  // "I'm Ada" says nothing of Ada.
  if (whole.length > LONGEST_FACT || whole.startsWith(`${conversation.speaker} is ${conversation.speaker}`)) return undefined;
  const sentence = whole.charAt(0).toUpperCase() + whole.slice(1);
  return '.!?…)'.includes(sentence.charAt(sentence.length - 1)) ? sentence : `${sentence}.`;
}
