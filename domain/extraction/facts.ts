import type { SaidFact } from '../../schemas/facts.ts';
import { mentionsIn } from './attributes/mentions.ts';
import { isMeant } from './attributes/not-meant.ts';
import { type FactRead, factsOfClause } from './attributes/read-facts.ts';
import { type DatedSentence, makeClauseAbsolute, makeDatesAbsolute, partOfDated } from './dates/dates.ts';
import type { Entity } from './names/entities.ts';
import { observed, type Part, type Setting } from './observation.ts';
import { plainSentencesIn } from './recast/recast.ts';
import { isBroken } from './self-contained.ts';
import { clausesOf } from './sentences/clauses.ts';
import type { Lexicon } from './sentences/lexicon.ts';
import { withoutOpeners } from './sentences/openers.ts';
import { type Word, wordsOf } from './sentences/sentences.ts';
import { FIRST_PERSON } from './sentences/statements.ts';
import { tidyClause } from './sentences/tidy.ts';
import type { Conversation } from './third-person.ts';
import { FOREIGN } from './voice/own-words.ts';
import { type Observed, wishOf } from './wishes.ts';

const QUOTED_FIRST_PERSON =
  /(?:^|\s|\()["“][^"”]*\b(?:i|me|my|mine|we|us|our)(?![\w-])|^[^"“]*\b(?:i|me|my|we|our)\b[^"“]*”/i;
/** A name that opens its sentence may be any word: that somebody died says that it is one. */
const DECEASED =
  /^(?!(?:He|She|It|They|We|You|Nobody|Everyone|Everybody|Someone|Somebody|Who|My|Our|The|His|Her|Their|This|That)\b)(\p{Lu}\p{L}{1,20}) (?:has |had |just |sadly |finally )*(?:died|passed away|was put (?:down|to sleep))\b/u;
const TAKEN_BACK = /[,.–—-] ?(?:sorry,? )?(?:no,? )?i meant?\b|\bno wait\b|\bscratch that\b/i;
/** "Sorry, I mean …" corrects the sentence before; what follows is meant. */
const CORRECTS = /^(?:sorry|oops|no|wait|ah|correction|ugh|hm+)[,.–—-] ?/i;
const MEANT = /^I meant? (?:to (?:say|write|type) )?(?:that )?(?=(?:I|my|we|our)\b)/i;
/** "My mum takes warfarin, does that go with grapefruit?": the statement before a question. */
const STATED_BEFORE =
  /^(?:[^:?]{0,40}: )?((?:I|I['’](?:m|ve)|[Ww]e|[Ww]e['’](?:re|ve)|[Mm]y|[Oo]ur) [^,?]{6,120}), (?:(?:so|and|but) )?(?:I(?:['’]m| was| am)? (?:just )?wondering|do|does|did|is|are|can|could|should|would|will|what|how|which|where|when|who|why|any)\b[^?]*\?/;
/** Labels of assistants, who aren't asked about themselves: they speak of the user, or of nobody. */
const ASSISTANTS = /^The (?:assistant|system|tool|ai|bot|model|function)$/;

/** "In Stardew I'm married to Leah", "write a story where …", "Suppose my wife is called Anna". */
const FICTION =
  /^(?:suppose|supposing|assume|assuming|imagine|pretend|hypothetically|let['’]s (?:say|pretend)|say)\b(?! (?:hi|hello|thanks|sorry)\b)|^(?:example|sample|test)(?: sentence| text)?:|\b(?:write|make up|invent|continue) (?:me |us )?(?:an? |the |this )?(?:[\p{L}-]+ ){0,2}(?:story|poem|song|tale|scene|dialogue|sketch|novel|fanfic)\b[^.]{0,40}\b(?:where|in which)\b|\bin (?:the )?(?:stardew|sims|minecraft|skyrim|fallout|zelda|animal crossing|d&d|dnd|fan ?fiction)\b|\bin (?:my|the|an?|our) (?:[\p{L}&-]+ )?(?:game|campaign|save|novel|role-?play|parallel universe)\b(?! (?:development|design|studio|industry))|\bin (?:chapter|act|scene|season|episode|book|level) \w+\b|\bon page \w+\b|\bin (?:my|a|another|the) (?:next|previous|past|another) life\b|\b(?:two truths and a lie|20 questions|twenty questions)\b|\b(?:i|we|he|she) (?:just |once )?(?:dream(?:t|ed)|had (?:a|this) (?:dream|nightmare))\b|\bin (?:my|a|the|last night['’]s) (?:dream|nightmare)\b|\b(?:thinks|assumes|believes|suspects|imagines) (?:that )?(?:my|our|he|she|we|i|\p{Lu}\p{L}+ (?:and|is|has|was|are))\b/iu;
const isFiction = (sentence: string): boolean => FICTION.test(sentence);

/** "Sold the Golf :)". */
const SMILEY = / ?(?:[:;=]['’]?-?[)(DPp/|]+|<3+|x[dD]+|\^\^)[.! ]*$/;
const SMILES = new Set(')(DPp/|3^d');
const withoutSmiley = (text: string): string =>
  SMILES.has(text.at(-1) ?? '') ? text.replace(SMILEY, '') : text;

export interface SentenceFacts {
  facts: Observed[];
  /** ISO 8601 labels of the dates that the sentence names. */
  dates: string[];
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
      const isQuestion = /[?？؟]["'”’)]*$/.test(sentence);
      const stated = isQuestion ? STATED_BEFORE.exec(sentence)?.[1] : sentence;
      if (stated === undefined || words.length < 2) return none;
      // Other languages are skipped: without their grammar the observation could only quote the turn, and an
      // observation that repeats its turn is dropped from the hits.
      if (!english) return none;
      const persons = names
        .filter(({ kind }) => kind === 'person' || kind === 'other')
        .map(({ label }) => label);
      const isAssistant = ASSISTANTS.test(conversation.speaker);
      // "I live in Boston, I mean Austin": which of them holds is not for sure.
      const isTakenBack = TAKEN_BACK.test(stated.replace(CORRECTS, ''));
      const setting: Setting = { conversation, timestamp, names, persons, lexicon, isAssistant, isTakenBack };
      const facts: Observed[] = [];
      // Words around another's words can't be understood without them.
      if (sentence.includes(FOREIGN) || isFiction(sentence)) return none;
      const plain = withoutOpeners(
        withoutSmiley(stated).replace(CORRECTS, ''),
        conversation.listener,
      ).replace(MEANT, '');
      for (const clause of clausesOf(plain)) {
        const text = tidyClause(clause, lexicon);
        if (text === undefined) continue;
        const wish = wishOf(text, conversation);
        if (wish === undefined) observe(text, makeClauseAbsolute(text, sentence, dated), setting, facts);
        else facts.push(wish);
      }
      if (!isAssistant && !isTakenBack) facts.push(...saidOtherwise(plain, setting, facts));
      if (!isAssistant) facts.push(...mentioned(plain, conversation.speaker, facts));
      return { facts, dates: dated.labels };
    },
  };
}

/** Returns the facts that a sentence says in a shape that the reading doesn't know, and nowhere else. */
function saidOtherwise(sentence: string, setting: Setting, known: readonly Observed[]): Observed[] {
  const found: Observed[] = [];
  const plainSentences = plainSentencesIn(sentence);
  if (plainSentences.length === 0 || !isMeant(sentence)) return found;
  for (const plain of plainSentences) {
    for (const clause of clausesOf(plain)) {
      const text = tidyClause(clause, setting.lexicon);
      if (text !== undefined) observe(text, makeDatesAbsolute(text, setting.timestamp), setting, found);
    }
  }
  return found.filter(
    ({ fact }) =>
      fact !== undefined &&
      !known.some(
        each =>
          each.fact?.attribute === fact.attribute &&
          each.fact.subject === fact.subject &&
          each.fact.ended === fact.ended,
      ),
  );
}

/** Adds the observation of a clause. */
function observe(text: string, dated: DatedSentence, setting: Setting, facts: Observed[]): void {
  const { conversation, lexicon, isAssistant, names } = setting;
  const deceased = DECEASED.exec(text)?.[1];
  // The clause is about nobody: it names neither the speaker nor any person or time.
  if (deceased === undefined && names.length === 0 && dated.labels.length === 0 && !FIRST_PERSON.test(text))
    return;
  // `He said "I quit"`, the draft of a letter: a first person in quotation marks is another person.
  if (/["“”]/.test(text) && QUOTED_FIRST_PERSON.test(text)) return;
  const words = wordsOf(dated.text);
  if (words.length < 2) return;
  const read =
    isAssistant || setting.isTakenBack
      ? []
      : factsOfClause(
          {
            ...dated,
            speaker: conversation.speaker,
            persons: deceased === undefined ? setting.persons : [...setting.persons, deceased],
            timestamp: setting.timestamp,
          },
          lexicon,
        );
  // "I smoke": no sentence is too short for a fact.
  if ((read.length === 0 || words.length > 3) && isBroken(words, lexicon)) return;
  const found: Observed[] = [];
  for (const part of partsOf(dated, words, read)) {
    const said = observed(part, setting);
    if (said !== undefined) found.push(said);
  }
  facts.push(...found);
}

/** Returns the people whom a sentence names with their relation, where no fact says it yet. */
function mentioned(sentence: string, speaker: string, known: readonly Observed[]): Observed[] {
  return mentionsIn(sentence, speaker).filter(
    ({ fact }) =>
      !known.some(each => each.fact?.attribute === fact.attribute && each.fact.value === fact.value),
  );
}

/** Returns the clause with its first fact, and each further fact with words that say it alone. */
function partsOf(dated: DatedSentence, words: readonly Word[], read: readonly FactRead[]): Part[] {
  if (read.length === 0 || read[0]!.alone === undefined)
    return [
      { ...dated, words, fact: read[0]?.fact },
      ...read
        .slice(1)
        .flatMap(({ fact, alone }) => (alone === undefined ? [] : [partOf(alone, dated, fact)])),
    ];
  return read.flatMap(({ fact, alone }) => (alone === undefined ? [] : [partOf(alone, dated, fact)]));
}

const partOf = (text: string, whole: DatedSentence, fact: SaidFact): Part => ({
  ...partOfDated(text, whole),
  words: wordsOf(text),
  fact,
});
