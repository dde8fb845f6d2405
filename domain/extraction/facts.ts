import { type Clause, factOfClause } from './attributes/find.ts';
import { formerlyIn, relatedIn, workplaceIn } from './beside.ts';
import { type DatedSentence, makeClauseAbsolute, makeDatesAbsolute, partOfDated } from './dates/dates.ts';
import type { Entity } from './names/entities.ts';
import { observed, type Part, type Setting } from './observation.ts';
import { isBroken } from './self-contained.ts';
import { clausesOf } from './sentences/clauses.ts';
import { halvesOf } from './sentences/coordination.ts';
import type { Lexicon } from './sentences/lexicon.ts';
import { withoutOpeners } from './sentences/openers.ts';
import { type Word, wordsOf } from './sentences/sentences.ts';
import { FIRST_PERSON } from './sentences/statements.ts';
import { tidyClause } from './sentences/tidy.ts';
import type { Conversation } from './third-person.ts';
import { type Observed, wishOf } from './wishes.ts';

const QUOTED_FIRST_PERSON =
  /(?:^|\s|\()["“][^"”]*\b(?:i|me|my|mine|we|us|our)(?![\w-])|^[^"“]*\b(?:i|me|my|we|our)\b[^"“]*”/i;
/** Labels of assistants, who aren't asked about themselves: they speak of the user, or of nobody. */
const ASSISTANTS = /^The (?:assistant|system|tool|ai|bot|model|function)$/;

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
      if (/[?？؟]["'”’)]*$/.test(sentence) || words.length < 2) return none;
      // Other languages are skipped: without their grammar the observation could only quote the turn, and an
      // observation that repeats its turn is dropped from the hits.
      if (!english) return none;
      const persons = names
        .filter(({ kind }) => kind === 'person' || kind === 'other')
        .map(({ label }) => label);
      const isAssistant = ASSISTANTS.test(conversation.speaker);
      const setting: Setting = { conversation, timestamp, names, persons, lexicon, isAssistant };
      const facts: Observed[] = [];
      for (const clause of clausesOf(withoutOpeners(sentence, conversation.listener))) {
        const text = tidyClause(clause, lexicon);
        if (text === undefined) continue;
        const wish = wishOf(text, conversation);
        if (wish === undefined) observe(text, makeClauseAbsolute(text, sentence, dated), setting, facts);
        else facts.push(wish);
      }
      return { facts, dates: dated.labels };
    },
  };
}

/** Adds the observation of a clause. */
function observe(text: string, dated: DatedSentence, setting: Setting, facts: Observed[]): void {
  const { conversation, lexicon, isAssistant, names } = setting;
  // The clause is about nobody: it names neither the speaker nor any person or time.
  if (names.length === 0 && dated.labels.length === 0 && !FIRST_PERSON.test(text)) return;
  // `He said "I quit"`, the draft of a letter: a first person in quotation marks is another person.
  if (/["“”]/.test(text) && QUOTED_FIRST_PERSON.test(text)) return;
  const words = wordsOf(dated.text);
  if (words.length < 2 || isBroken(words, lexicon)) return;
  const found: Observed[] = [];
  for (const part of partsOf(dated, words, setting)) {
    const said = observed(part, setting);
    if (said !== undefined) found.push(said);
  }
  facts.push(...found);
  if (isAssistant) return;
  for (const former of formerlyIn(dated.text)) {
    const said = observed(partOf(former, dated, setting), setting);
    if (said?.fact !== undefined) facts.push(said);
  }
  for (const each of found) facts.push(...workplaceIn(each, dated.text, lexicon));
  facts.push(...relatedIn(text, conversation.speaker, found));
}

const factIn = (
  { text, labels }: DatedSentence,
  { conversation, persons, timestamp, lexicon, isAssistant }: Setting,
): Observed['fact'] => {
  if (isAssistant) return undefined;
  const clause: Clause = { text, labels, speaker: conversation.speaker, persons, timestamp };
  return factOfClause(clause, lexicon);
};

function partOf(text: string, whole: DatedSentence, setting: Setting): Part {
  const dated = partOfDated(text, whole);
  return { ...dated, words: wordsOf(text), fact: factIn(dated, setting) };
}

/** Returns the clause, or both halves if each gives a fact. */
function partsOf(dated: DatedSentence, words: readonly Word[], setting: Setting): Part[] {
  const whole: Part = { ...dated, words, fact: factIn(dated, setting) };
  if (whole.fact === undefined) return [whole];
  const halves = halvesOf(dated.text).map(half => partOf(half, dated, setting));
  return halves.length > 1 && halves.every(({ fact }) => fact !== undefined) ? halves : [whole];
}
