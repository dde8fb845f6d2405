import type { SaidFact, SaidObservation } from '../../schemas/facts.ts';
import { holdsOne } from '../facts/attributes.ts';
import { beginning, localTime } from './dates/calendar.ts';
import { makeFactFinder } from './facts.ts';
import { type Entity, makeEntityFinder } from './names/entities.ts';
import type { EntityKind } from './names/entity-kinds.ts';
import { GIVEN_NAMES } from './names/known-names.ts';
import { normaliseLabel } from './names/label.ts';
import { withoutApposition } from './sentences/appositions.ts';
import { partsAboutOthers, withFragments } from './sentences/clauses.ts';
import { makeLexicon } from './sentences/lexicon.ts';
import { listenerIn } from './sentences/openers.ts';
import { type Referent, referentIn, withReferent } from './sentences/pronouns.ts';
import { sameWords } from './sentences/same-words.ts';
import { sentencesOf, wordsOf } from './sentences/sentences.ts';
import { isEnglish } from './sentences/statements.ts';
import { isPart, speakerLabel } from './speaker.ts';
import type { Conversation } from './third-person.ts';
import { statementOf, type TurnBefore } from './two-turns/answered.ts';
import { correctedIn } from './two-turns/corrected.ts';
import { voicesIn } from './voice/own-words.ts';
import { withoutRequest } from './voice/requests.ts';

export type { EntityKind } from './names/entity-kinds.ts';
export { normaliseLabel } from './names/label.ts';

export interface ExtractionInput {
  /** The speaker: a name, or a role such as "user". */
  role: string;
  text: string;
  /** Unix milliseconds (UTC) at which it was said. */
  timestamp: number;
  /** The speaker's offset from UTC, minutes to the east; undefined: days count in UTC. */
  utcOffset?: number | undefined;
  /** The turn before, of the same session: a short answer says nothing without its question. */
  before?: TurnBefore | undefined;
  /** The same speaker's turn before, of the same session: a correction says nothing without it. */
  own?: string | undefined;
}

export interface Extraction {
  /** Facts in the third person, in text order; `fact` is the attribute that a rule reads in it. */
  observations: SaidObservation[];
  /** One per normalised label, in text order, the speaker first. Dates are no entities. */
  entities: { label: string; kind: EntityKind }[];
}

/** Part of every event from this extractor: each version's output is a separate event. */
export const RULES_EXTRACTOR_VERSION = 'rules-10';

const MOST_FACTS = 16;
const MOST_ENTITIES = 32;
const OPPOSITE = new Map([
  ['user', 'The assistant'],
  ['human', 'The assistant'],
  ['assistant', 'The user'],
  ['ai', 'The user'],
  ['bot', 'The user'],
  ['model', 'The user'],
]);

/** The rules reckon in the time of the speaker's clock; a fact begins at an instant. */
function withBeginning(said: SaidObservation, instant: number, utcOffset: number): SaidObservation {
  const from = said.fact?.valid_from;
  if (said.fact === undefined || from === undefined) return said;
  const start = beginning(Date.parse(from), instant, utcOffset);
  return { ...said, fact: { ...said.fact, valid_from: new Date(start).toISOString() } };
}

/** "(Rex is my dog)": a sentence in brackets, or its beginning or end. */
const withoutBrackets = (sentence: string): string =>
  sentence.startsWith('(') && !/\) /.test(sentence)
    ? sentence.slice(1).replace(/\)(?=[.!]*$)/, '')
    : sentence;

/** Returns the sentences of a turn whose first ones answer a question: "Leeds. Been here for years." */
function answerIn(question: string, turn: string, sentences: readonly string[]): string[] | undefined {
  const [first = turn, ...rest] = sentences;
  const stated = statementOf(question, rest.length === 0 ? turn : first);
  return stated === undefined ? undefined : [stated, ...rest];
}

/** Ends the wrong one of several values, which doesn't go by itself: "I meant barley, not wheat". */
function insteadOf(
  observed: SaidObservation,
  { right, wrong }: { right: string; wrong: string },
): SaidObservation[] {
  const { fact } = observed;
  if (fact === undefined || !fact.value.includes(right)) return [];
  if (holdsOne(fact.attribute)) return [observed];
  const former = fact.value.replace(right, wrong);
  const ended: SaidFact = { ...fact, value: former, ended: true, stance: 'changed' };
  return [observed, { text: observed.text.replace(right, `${right}, not ${wrong}`), fact: ended }];
}

/** "Rex is my labrador, he's seven": whose he is was said before his age. */
const isSame = (one: SaidFact | undefined, other: SaidFact | undefined): boolean =>
  one !== undefined &&
  one.attribute === other?.attribute &&
  one.value === other.value &&
  one.subject === other.subject &&
  one.ended === other.ended;

const isName = (role: string): boolean => /^[\p{Lu}\p{Lo}]/u.test(role) || GIVEN_NAMES.has(role);

/**
 * Makes the default extractor, which finds facts and entities in one turn by rules and word lists, without a
 * key or a model server. Pure: the same turn gives the same answer. It takes time linear in the text, and
 * accepts text in any script. It loads its dictionary once (150 ms); the returned extractor is synchronous
 * and keeps no state between turns.
 */
export function makeRulesExtractor(): (turn: ExtractionInput) => Extraction {
  const lexicon = makeLexicon();
  const facts = makeFactFinder(lexicon);
  const names = makeEntityFinder(lexicon);

  const extract = ({
    role,
    text,
    timestamp: instant,
    utcOffset = 0,
    before,
    own: saidBefore,
  }: ExtractionInput): Extraction => {
    const timestamp = localTime(instant, utcOffset);
    const speaker = role.trim();
    const { own, foreign } = voicesIn(text);
    const plain = withFragments(sentencesOf(own));
    const stated = before && before.role !== role ? answerIn(before.text, own, plain) : undefined;
    const sentences = (stated ?? plain).map(each => withoutApposition(withoutBrackets(withoutRequest(each))));
    const part = speaker.toLowerCase();
    const conversation: Conversation = {
      speaker: speakerLabel(role),
      listener: OPPOSITE.get(part) ?? listenerIn(sentences, lexicon),
    };
    const entities = new Map<string, Entity>();
    const addEntity = (entity: Entity): void => {
      const key = normaliseLabel(entity.label);
      const present = entities.get(key);
      if (present === undefined && entities.size < MOST_ENTITIES) entities.set(key, entity);
      // A later mention may reveal the kind.
      else if (present?.kind === 'other') present.kind = entity.kind;
    };
    if (!isPart(role) && isName(speaker)) addEntity({ label: speaker, kind: 'person' });

    const corrected = saidBefore === undefined ? undefined : correctedIn(saidBefore, own);
    const observations: SaidObservation[] =
      corrected === undefined
        ? []
        : extract({ role, text: corrected.sentence, timestamp: instant, utcOffset }).observations.flatMap(
            each => insteadOf(each, corrected),
          );
    const speaksOfOne = /\bs?he\b/i.test(own);
    let referent: Referent | undefined;
    for (const said of speaksOfOne ? sentences.flatMap(partsAboutOthers) : sentences) {
      if (observations.length >= MOST_FACTS && entities.size >= MOST_ENTITIES) break;
      const sentence = withReferent(said, referent);
      const words = wordsOf(sentence);
      const english = isEnglish(words, lexicon);
      const named = names.namesIn(sentence, words, english);
      if (speaksOfOne) {
        const persons = named.filter(
          ({ kind, label }) =>
            (kind === 'person' || (kind === 'other' && sentence.startsWith(label))) &&
            label !== conversation.listener,
        );
        const next = referentIn(
          sentence,
          persons.map(({ label }) => label),
        );
        // "She's fifteen. She plays chess": both are about the same one.
        referent = next ?? (sentence === said ? undefined : referent);
      }
      const found = facts.factsOf(sentence, words, conversation, timestamp, named, english);
      for (const entity of named)
        addEntity(entity.label === conversation.listener ? { ...entity, kind: 'person' } : entity);
      for (const fact of found.facts) {
        const isNew =
          observations.length < MOST_FACTS &&
          !observations.some(
            each => sameWords(each.text, fact.text) || (sentence !== said && isSame(each.fact, fact.fact)),
          );
        if (isNew) observations.push(utcOffset === 0 ? fact : withBeginning(fact, instant, utcOffset));
      }
    }
    // Others' words tell nothing of anybody, but the names in them are spoken of.
    for (const said of foreign.flatMap(sentencesOf)) {
      if (entities.size >= MOST_ENTITIES) break;
      const words = wordsOf(said);
      for (const entity of names.namesIn(said, words, isEnglish(words, lexicon))) addEntity(entity);
    }
    return { observations, entities: [...entities.values()] };
  };
  return extract;
}
