/** Which facts of a recall hold, and what follows for its ranking. */

import type {
  ChosenHit,
  FoundFacts,
  KnownFact,
  NameCorrection,
  NoLonger,
  SearchRequest,
  StoredFragment,
  TurnDetails,
} from '../../../../core/ports.ts';
import { attributesAskedFor, holdsOne } from '../../../../domain/facts/attributes.ts';
import { decidedTogether } from '../../../../domain/facts/values/slots.ts';
import { type Condition, selectedBy } from '../../../../domain/filter/condition.ts';
import { asksAboutPast } from '../../../../domain/language/query/asks-past.ts';
import { asksForPresent } from '../../../../domain/ranking/lately.ts';
import { peopleIn, readRelatives, withSubject } from '../../lists/read-people.ts';
import {
  best,
  type Known,
  lead,
  ofThePresent,
  reordered,
  replacementOf,
  turnIdOf,
  type WithFact,
} from './held-ranking.ts';
import type { RankedCandidates } from './hits.ts';
import { distinct, missingKeys, ofTail, standingOfUsers } from './known-facts.ts';
import type { FactPorts } from './ranked-facts.ts';
import { correctedTogether, type RecallNames } from './recall-names.ts';

export interface HeldPorts extends FactPorts {
  details: Pick<TurnDetails, 'observationsOf' | 'facts' | 'turnsOf'>;
  /** The names of the one user that is searched. */
  names?: RecallNames | undefined;
}

export interface WhatHolds {
  /** The ranking with what holds before what held. */
  ranking: RankedCandidates;
  /**
   * Whether an observation may be a hit: one that no longer holds is none, unless the question asks about the
   * past.
   */
  isShown(id: string): boolean;
  /** Whether a fact says just what is asked for: one attribute of one subject. */
  isKnown: boolean;
  /** Whether the question asks about the past, in which all that was said belongs. */
  isPast: boolean;
  /** Tells how a hit no longer holds; undefined where it does. */
  noLonger(hit: ChosenHit): NoLonger | undefined;
  /** Returns the observation with the subject that it is shown with. */
  withSubject<T extends StoredFragment>(one: T): T;
  /** The ids of the observations that say otherwise, where nobody knows which holds. */
  disputedBy(observation: string): readonly string[] | undefined;
  /** The current facts on the attributes asked for, and on what these hits state. */
  holding(hits: readonly ChosenHit[]): KnownFact[];
}

const NONE: ReadonlyMap<number, StoredFragment> = new Map();
const NO_FACTS: FoundFacts = { facts: [], corrections: [] };

const hasFact = (one: StoredFragment): one is WithFact => one.fact !== undefined;

/**
 * (for a question for the present: the first turns in another order →) facts of the best turns → all facts of
 * their keys and, of a user, of what the question asks for → one fold → the ranking. Two more reads, of which
 * the second is left out where nothing was said of anybody; one before them for the words of the first turns.
 */
export const readWhatHolds = async (
  ports: HeldPorts,
  { scope, q, tail, moment, holds }: Pick<SearchRequest, 'scope' | 'q' | 'tail' | 'moment' | 'holds'>,
  given: RankedCandidates,
  signal?: AbortSignal,
): Promise<WhatHolds> => {
  const { details, names } = ports;
  const asked = new Set(attributesAskedFor(q).flatMap(decidedTogether));
  const isPast = holds === undefined ? asksAboutPast(q) : holds === 'ever';
  const present = isPast ? undefined : asksForPresent(q, [...asked].some(holdsOne));
  const ranking = present ? await ofThePresent(given, present) : given;
  const { turns, observed } = best(ranking.ranked);
  const [stored, said, ofAsked, saidNames] = await Promise.all([
    details.observationsOf(scope, turns.map(turnIdOf), signal),
    observed.length === 0 ? NONE : ranking.fragments(observed.map(({ candidate }) => candidate.key)),
    scope.user === undefined || asked.size === 0
      ? NO_FACTS
      : details.facts(scope, { user: scope.user, attributes: [...asked] }, signal),
    names?.corrections() ?? [],
  ]);
  const facts = [...stored, ...said.values()].filter(hasFact);
  const first = [...facts, ...ofAsked.facts];
  const kin = names ? await readRelatives(details, names.scope, { q, facts: first }, signal) : [];
  const keys = missingKeys(facts, ofAsked.facts, togetherBy(names, first, { corrections: saidNames, kin }));
  const corrected = [...stored, ...said.values()].map(({ id }) => id);
  const ofKeys =
    keys.length === 0 && corrected.length === 0
      ? NO_FACTS
      : await details.facts(scope, { keys, corrected }, signal);
  const waiting = ofTail(tail, scope);
  const known = distinct([...ofAsked.facts, ...ofKeys.facts, ...waiting.facts(facts, asked)]);
  const corrections = distinct([...ofAsked.corrections, ...ofKeys.corrections, ...waiting.corrections]);
  const people = names && peopleIn(names.scope, known, { corrections: saidNames, kin });
  const standing = standingOfUsers(known, moment, { corrections, people });
  const ofTurns = Map.groupBy(facts, ({ sourceTurnId }) => sourceTurnId!);
  const isShown = (id: string): boolean => isPast || !standing.superseded.has(id);
  const answer = isPast ? undefined : lead(q, asked, known, standing, people?.me);

  return {
    ranking: isPast
      ? ranking
      : await reordered(ports, { scope, asked, ofTurns, standing, signal }, ranking, answer),
    isShown,
    isKnown: answer !== undefined,
    isPast,
    noLonger: hit => noLonger(hit, { asked, ofTurns, standing }),
    withSubject: one => (people ? withSubject(one, people) : one),
    disputedBy: id => standing.disputed.get(id),
    holding: hits => holdingOf(hits, { asked, facts, known, standing }, scope.filter),
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
  const old = known.standing.superseded.get(hit.fragment.id);
  return old && { by: old.by.id, until: old.until };
};

/** The most facts that are said to hold. */
const MOST_HELD = 20;

const holdingOf = (
  hits: readonly ChosenHit[],
  {
    asked,
    facts,
    known,
    standing,
  }: Pick<Known, 'asked' | 'standing'> & {
    facts: readonly WithFact[];
    known: readonly KnownFact[];
  },
  filter: Condition | undefined,
): KnownFact[] => {
  // Decide which facts hold over everything, and apply the filter afterwards.
  const isSelected = selectedBy(filter);
  const turns = new Set(
    hits.flatMap(hit =>
      hit.kind === 'entity' ? [] : [hit.kind === 'turn' ? hit.fragment.id : hit.fragment.sourceTurnId!],
    ),
  );
  const saidHere = new Set(facts.filter(({ sourceTurnId }) => turns.has(sourceTurnId!)).map(({ id }) => id));
  const keys = new Set([
    ...known.filter(({ fact }) => asked.has(fact.attribute)).map(standing.keyOf),
    ...known.filter(({ id }) => saidHere.has(id)).map(standing.keyOf),
  ]);
  const held = [...keys].flatMap(key =>
    (standing.holding.get(key) ?? []).flatMap(({ said }) => said.find(isSelected) ?? []),
  );
  return [...new Map(held.map(one => [one.id, one])).values()].slice(0, MOST_HELD);
};
