/** Which facts of a recall hold, and what follows for its ranking. */

import type {
  ChosenHit,
  FoundFacts,
  KnownFact,
  NoLonger,
  SearchRequest,
  StoredFragment,
  TurnDetails,
} from '../../../../core/ports.ts';
import { attributesAskedFor, holdsOne } from '../../../../domain/facts/attributes.ts';
import { factKey, type StoredFact } from '../../../../domain/facts/stored-fact.ts';
import { decidedTogether } from '../../../../domain/facts/values/slots.ts';
import { type Condition, selectedBy } from '../../../../domain/filter/condition.ts';
import { asksAboutPast } from '../../../../domain/language/query/asks-past.ts';
import { asksForPresent } from '../../../../domain/ranking/present/asks-for-present.ts';
import { correctedSubjects } from '../../lists/read-names.ts';
import {
  best,
  type Known,
  lead,
  ofThePresent,
  type Present,
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
  /** The turn by which, as the ranking has it, a turn is out of date; undefined where a fact decides. */
  laterThan(hit: ChosenHit): string | undefined;
  /** The ids of the observations that say otherwise, where nobody knows which holds. */
  disputedBy(observation: string): readonly string[] | undefined;
  /** The current facts on the attributes asked for, and on what these hits state. */
  holding(hits: readonly ChosenHit[]): KnownFact[];
}

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
  { scope, q, tail, moment, holds }: Pick<SearchRequest, 'scope' | 'q' | 'tail' | 'moment' | 'holds'>,
  given: RankedCandidates,
  signal?: AbortSignal,
): Promise<WhatHolds> => {
  const { details, names } = ports;
  const asked = new Set(attributesAskedFor(q).flatMap(decidedTogether));
  const isPast = holds === undefined ? asksAboutPast(q) : holds === 'ever';
  const isPresent = !isPast && asksForPresent(q, [...asked].some(holdsOne));
  const present = isPresent ? await ofThePresent(ports, q, given) : { ranking: given, replaced: NO_IDS };
  const { ranking } = present;
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
  const together =
    names && saidNames.length > 0 ? correctedTogether(names.scope, saidNames) : (id: string) => [id];
  const keys = missingKeys(facts, ofAsked.facts, together);
  const corrected = [...stored, ...said.values()].map(({ id }) => id);
  const ofKeys =
    keys.length === 0 && corrected.length === 0
      ? NO_FACTS
      : await details.facts(scope, { keys, corrected }, signal);
  const waiting = ofTail(tail, scope);
  const known = distinct([...ofAsked.facts, ...ofKeys.facts, ...waiting.facts(facts, asked)]);
  const corrections = distinct([...ofAsked.corrections, ...ofKeys.corrections, ...waiting.corrections]);
  const standing = standingOfUsers(known, moment, { corrections, names: saidNames });
  const named = names
    ? correctedSubjects(
        names.scope,
        known.map(({ fact }) => fact),
        saidNames,
      )
    : (fact: StoredFact) => fact;
  // A question may name a subject as it is shown.
  const shown = known.map(one => ({ ...one, fact: { ...one.fact, subject: named(one.fact).subject } }));
  const ofTurns = Map.groupBy(facts, ({ sourceTurnId }) => sourceTurnId!);
  const isShown = (id: string): boolean => isPast || !standing.superseded.has(id);
  const answer = isPast ? undefined : lead(q, asked, shown, standing);
  // A fact that holds because nobody understood the turn by which it is out of date.
  const first = answer && present.replaced.has(answer.sourceTurnId!) ? undefined : answer;

  return {
    ranking: isPast
      ? ranking
      : await reordered(ports, { scope, asked, ofTurns, standing, signal }, ranking, first),
    isShown,
    isKnown: answer !== undefined,
    isPast,
    noLonger: hit => noLonger(hit, { asked, ofTurns, standing }),
    laterThan: hit => laterThan(hit, present, first),
    disputedBy: id => standing.disputed.get(id),
    holding: hits => holdingOf(hits, { asked, facts, known, standing }, scope.filter),
  };
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
  const keys = new Set([
    ...known.filter(({ fact }) => asked.has(fact.attribute)).map(({ fact }) => factKey(fact)),
    ...facts.filter(({ sourceTurnId }) => turns.has(sourceTurnId!)).map(({ fact }) => factKey(fact)),
  ]);
  // It is under the keys of all names of its subject.
  const held = [...keys].flatMap(key =>
    (standing.holding.get(key) ?? []).flatMap(({ said }) => said.find(isSelected) ?? []),
  );
  return [...new Map(held.map(one => [one.id, one])).values()].slice(0, MOST_HELD);
};
