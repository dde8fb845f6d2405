/** Which facts of a recall hold, and what follows for its ranking. */

import type {
  ChosenHit,
  FoundFacts,
  HoldingFact,
  KnownFact,
  NameCorrection,
  NoLonger,
  SearchRequest,
  StoredFragment,
  TurnDetails,
} from '../../../../core/ports.ts';
import { bearingFacts, STANDING } from '../../../../domain/context/bearing-facts.ts';
import { attributesAskedFor, holdsOne } from '../../../../domain/facts/attributes.ts';
import { decidedTogether, withOpposite } from '../../../../domain/facts/values/slots.ts';
import { type Condition, selectedBy } from '../../../../domain/filter/condition.ts';
import { asksAboutPast } from '../../../../domain/language/query/asks-past.ts';
import { answerFit, READ_FOR_FIT } from '../../../../domain/ranking/answer-fit.ts';
import { whereKnown } from '../../../../domain/ranking/confidence.ts';
import { asksForPresent } from '../../../../domain/ranking/present/asks-for-present.ts';
import { peopleIn, readRelatives, withSubject } from '../../lists/read-people.ts';
import type { Read } from '../reader/start-reader.ts';
import { type Answers, makeAnswering, OF_OTHERS, ofOnePerson, saysOther } from './asked-of.ts';
import {
  best,
  firstRead,
  type Known,
  lead,
  ofAnswers,
  reordered,
  replacementOf,
  turnIdOf,
  type WithFact,
} from './held-ranking.ts';
import type { RankedCandidates } from './hits.ts';
import { distinct, missingKeys, ofTail, standingOfUsers } from './known-facts.ts';
import { ofThePresent, type Present } from './of-the-present.ts';
import type { FactPorts } from './ranked-facts.ts';
import { correctedTogether, type RecallNames } from './recall-names.ts';

export interface HeldPorts extends FactPorts {
  details: Pick<TurnDetails, 'observationsOf' | 'facts' | 'turnsOf'>;
  /** The names of the one user that is searched. */
  names?: RecallNames | undefined;
  /** Where the reader takes part. */
  read?: Read | undefined;
}

export interface WhatHolds {
  /** The ranking with what holds before what held. */
  ranking: RankedCandidates;
  /**
   * Whether an observation may be a hit: one that no longer holds is none, unless the question asks about the
   * past.
   */
  isShown(id: string): boolean;
  /** The chance that the answer was found: higher where a fact says just that, lower where nothing fits. */
  confidence: number;
  /** Whether the reader should have taken part and did not. */
  isUnread: boolean;
  /** Whether the question asks about the past, in which all that was said belongs. */
  isPast: boolean;
  /** Tells how a hit no longer holds; undefined where it does. */
  noLonger(hit: ChosenHit): NoLonger | undefined;
  /** Returns the observation with the subject that it is shown with. */
  withSubject<T extends StoredFragment>(one: T): T;
  /** Tells how an observation, by its id, no longer holds; undefined where it does. */
  noLongerFact(id: string): NoLonger | undefined;
  /** How far an observation states what is asked for, of the person asked about. */
  answering: Answers;
  /** The turn by which, as the ranking has it, a turn is out of date; undefined where a fact decides. */
  laterThan(hit: ChosenHit): string | undefined;
  /** The ids of the observations that say otherwise, where nobody knows which holds. */
  disputedBy(observation: string): readonly string[] | undefined;
  /** The current facts on the attributes asked for, and on what these hits state. */
  holding(hits: readonly ChosenHit[]): HoldingFact[];
}

type Asked = Pick<SearchRequest, 'scope' | 'q' | 'tail' | 'moment' | 'holds' | 'contextTokens'>;

const NONE: ReadonlyMap<number, StoredFragment> = new Map();
const NO_IDS: ReadonlySet<string> = new Set();
const NO_FACTS: FoundFacts = { facts: [], corrections: [] };

const hasFact = (one: StoredFragment): one is WithFact => one.fact !== undefined;

/**
 * (for a question for the present: the turn first that says what holds now →) facts of the best turns → all
 * facts of their keys and, of a user, of what the question asks for → one fold → the ranking. Two more reads,
 * of which the second is left out where nothing was said of anybody; one before them for the words of the
 * first turns.
 */
export const readWhatHolds = async (
  ports: HeldPorts,
  { scope, q, tail, moment, holds, contextTokens }: Asked,
  given: RankedCandidates,
  signal?: AbortSignal,
): Promise<WhatHolds> => {
  const { details, names } = ports;
  const asked = new Set(attributesAskedFor(q).flatMap(withOpposite));
  const deciding = new Set([...asked].flatMap(decidedTogether));
  const wanted = contextTokens !== undefined ? deciding.union(new Set(STANDING)) : deciding;
  const isPast = holds === undefined ? asksAboutPast(q) : holds === 'ever';
  const { answering: fitting, textOf } = await ofAnswers(given, q);
  const isPresent = !isPast && asksForPresent(q, [...asked].some(holdsOne));
  const present: Present = isPresent
    ? await ofThePresent(ports, q, fitting, signal)
    : { ranking: fitting, replaced: NO_IDS, isUnread: false };
  const { ranking } = present;
  const { turns, observed } = best(ranking.ranked);
  const [stored, said, ofAsked, saidNames] = await Promise.all([
    details.observationsOf(scope, turns.map(turnIdOf), signal),
    observed.length === 0 ? NONE : ranking.fragments(observed.map(({ candidate }) => candidate.key)),
    scope.user === undefined || wanted.size === 0
      ? NO_FACTS
      : details.facts(scope, { user: scope.user, attributes: [...wanted] }, signal),
    names?.corrections() ?? [],
  ]);
  const facts = [...stored, ...said.values()].filter(hasFact);
  const ofBoth = [...facts, ...ofAsked.facts];
  const kin = names ? await readRelatives(details, names.scope, { q, facts: ofBoth }, signal) : [];
  const keys = missingKeys(facts, ofAsked.facts, togetherBy(names, ofBoth, { corrections: saidNames, kin }));
  const corrected = [...stored, ...said.values()].map(({ id }) => id);
  const ofKeys =
    keys.length === 0 && corrected.length === 0
      ? NO_FACTS
      : await details.facts(scope, { keys, corrected }, signal);
  const waiting = ofTail(tail, scope);
  const known = distinct([...ofAsked.facts, ...ofKeys.facts, ...waiting.facts(facts, deciding)]);
  const ofPerson = ofOnePerson(q, asked, known);
  const corrections = distinct([...ofAsked.corrections, ...ofKeys.corrections, ...waiting.corrections]);
  const people = names && peopleIn(names.scope, known, { corrections: saidNames, kin });
  const standing = standingOfUsers(known, moment, { corrections, people });
  const shownOf = <T extends StoredFragment>(one: T): T => (people ? withSubject(one, people) : one);
  const ofTurns = Map.groupBy(facts, ({ sourceTurnId }) => sourceTurnId!);
  const isShown = (id: string): boolean => isPast || !standing.superseded.has(id);
  const answer = isPast ? undefined : lead(q, asked, ofPerson, standing, people?.me);
  // A fact that holds because nobody understood the turn by which it is out of date.
  const first = answer && present.replaced.has(answer.sourceTurnId!) ? undefined : answer;

  const ordered = isPast
    ? ranking
    : await reordered(ports, { scope, asked, ofTurns, standing, signal }, ranking, first);
  const isKnown = answer !== undefined;
  const { chat } = ordered.prepared;
  const read = firstRead(ordered.ranked, READ_FOR_FIT, textOf);
  const answering = makeAnswering(q, asked, known);
  const firstTurn = ordered.ranked.find(({ candidate }) => candidate.kind === 'turn');
  const ofFirst = (firstTurn && ofTurns.get(turnIdOf(firstTurn))) ?? [];
  const isOthers =
    !isKnown && isPresent && asked.size > 0 && saysOther(ofFirst.map(shownOf), { q, asked }, answering);

  return {
    ranking: ordered,
    isShown,
    confidence:
      answerFit(q, read, !isKnown && chat === 'assistant') *
      (isOthers ? OF_OTHERS : 1) *
      (isKnown ? whereKnown(ordered.confidence) : ordered.confidence),
    isUnread: present.isUnread,
    isPast,
    noLonger: hit => noLonger(hit, { asked, ofTurns, standing }),
    withSubject: shownOf,
    noLongerFact: id => noLongerFact(id, standing),
    answering,
    laterThan: hit => laterThan(hit, present, first),
    disputedBy: id => standing.disputed.get(id),
    holding: hits => holdingOf(hits, { q, asked, known: ofPerson, shownOf, standing }, scope.filter),
  };
};

/** Returns which subjects are stored apart and decided together. */
const togetherBy = (
  names: RecallNames | undefined,
  facts: readonly WithFact[],
  known: { corrections: readonly NameCorrection[]; kin: readonly string[] },
): ((subjectId: string) => readonly string[]) => {
  if (!names || (known.corrections.length === 0 && known.kin.length === 0)) return id => [id];
  const corrected = correctedTogether(names.scope, known.corrections);
  const people = peopleIn(names.scope, facts, known);
  return id => [...new Set(corrected(id).flatMap(people.together))];
};

const noLonger = (hit: ChosenHit, known: Known): NoLonger | undefined => {
  if (hit.kind === 'entity') return undefined;
  if (hit.kind === 'turn') {
    const by = replacementOf(hit.fragment.id, known);
    return by && { by: by.id };
  }
  return noLongerFact(hit.fragment.id, known.standing);
};

const noLongerFact = (id: string, { superseded }: Known['standing']): NoLonger | undefined => {
  const old = superseded.get(id);
  return old && { by: old.by.id, until: old.until };
};

/** Where a fact of another turn answers the question, that decides. */
const laterThan = (
  hit: ChosenHit,
  { now, replaced }: Pick<Present, 'now' | 'replaced'>,
  first: Pick<KnownFact, 'sourceTurnId'> | undefined,
): string | undefined => {
  const isReplaced = hit.kind === 'turn' && replaced.has(hit.fragment.id);
  return isReplaced && (first === undefined || first.sourceTurnId === now) ? now : undefined;
};

/** The most facts that are said to hold. */
const MOST_HELD = 20;

const holdingOf = (
  hits: readonly ChosenHit[],
  {
    q,
    asked,
    known,
    shownOf,
    standing,
  }: Pick<Known, 'asked' | 'standing'> & {
    q: string;
    known: readonly KnownFact[];
    shownOf: (one: KnownFact) => KnownFact;
  },
  filter: Condition | undefined,
): HoldingFact[] => {
  // Decide which facts hold over everything, and apply the filter afterwards.
  const isSelected = selectedBy(filter);
  const turns = hits.flatMap(hit =>
    hit.kind === 'entity' ? [] : [hit.kind === 'turn' ? hit.fragment.id : hit.fragment.sourceTurnId!],
  );
  // It is under the keys of all names of its subject.
  const keys = new Set(known.map(standing.keyOf));
  const held = [...keys].flatMap(key =>
    (standing.holding.get(key) ?? []).flatMap(({ said }) => said.find(isSelected) ?? []),
  );
  // A question may name a subject as it is shown.
  const shown = [...new Set(held)].map(shownOf);
  return bearingFacts(shown, { question: q, asked, hits: turns }).slice(0, MOST_HELD);
};
