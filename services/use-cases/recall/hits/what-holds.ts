/** Which facts of a recall hold, and what follows for its ranking. */

import type {
  ChosenHit,
  Correction,
  FoundFacts,
  KnownFact,
  KnownObservation,
  NameCorrection,
  NoLonger,
  Scope,
  SearchRequest,
  StoredFragment,
  TailTurn,
  TurnDetails,
} from '../../../../core/ports.ts';
import { attributesAskedFor, holdsOne } from '../../../../domain/facts/attributes.ts';
import { type Standing, standingOf } from '../../../../domain/facts/standing.ts';
import { factKey, type StoredFact } from '../../../../domain/facts/stored-fact.ts';
import { type Condition, selectedBy } from '../../../../domain/filter/condition.ts';
import { asksAboutPast } from '../../../../domain/language/query/asks-past.ts';
import { asksForPresent } from '../../../../domain/ranking/lately.ts';
import { tailObservations } from '../../../../projections/recall/tail/tail-turn.ts';
import { correctedSubjects } from '../../lists/read-names.ts';
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
  const asked = new Set(attributesAskedFor(q));
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
  const first = isPast ? undefined : lead(q, asked, shown, standing);

  return {
    ranking: isPast
      ? ranking
      : await reordered(ports, { scope, asked, ofTurns, standing, signal }, ranking, first),
    isShown,
    isKnown: first !== undefined,
    isPast,
    noLonger: hit => noLonger(hit, { asked, ofTurns, standing }),
    holding: hits => holdingOf(hits, { asked, facts, known, standing }, scope.filter),
  };
};

/**
 * Folds each user's facts separately: names are merged only within one user's partition. `names`: the
 * corrections of names of the one user that is searched.
 */
const standingOfUsers = (
  facts: readonly KnownFact[],
  moment: number,
  { corrections, names }: { corrections: readonly Correction[]; names: readonly NameCorrection[] },
): Standing<KnownObservation> => {
  const users = new Set([...facts, ...corrections].map(({ user }) => user));
  const standings = [...users].map(user => {
    const isTheirs = (one: KnownObservation): boolean => one.user === user;
    return standingOf<KnownObservation>(facts.filter(isTheirs), moment, corrections.filter(isTheirs), names);
  });
  return {
    superseded: new Map(standings.flatMap(({ superseded }) => [...superseded])),
    holding: new Map(standings.flatMap(({ holding }) => [...holding])),
  };
};

/** The keys of these facts of which not all facts were read. */
const missingKeys = (
  facts: readonly WithFact[],
  read: readonly KnownFact[],
  together: (subjectId: string) => readonly string[],
): { user: string; key: string }[] => {
  const known = new Set(read.map(({ fact }) => factKey(fact)));
  const missing = new Map<string, { user: string; key: string }>();
  for (const { user, fact } of facts) {
    for (const subjectId of together(fact.subjectId)) {
      const key = factKey({ ...fact, subjectId });
      if (!known.has(key)) missing.set(key, { user, key });
    }
  }
  return [...missing.values()];
};

/** Clients' observations of the tail, with turns and without, that the index may not have yet. */
const ofTail = (tail: readonly TailTurn[], { session }: Scope) => {
  const said = tail
    .filter(
      turn =>
        (turn.facts !== undefined || turn.stated !== undefined) && (session ?? turn.session) === turn.session,
    )
    .flatMap(turn =>
      tailObservations(turn).map(one => ({
        key: -1,
        ...one,
        recordedAt: Number.MAX_SAFE_INTEGER,
        metadata: turn.metadata,
      })),
    );
  return {
    corrections: said.flatMap(one => (one.corrects ? [{ ...one, corrects: one.corrects }] : [])),
    /** Those of the attributes asked for, and of the keys of other facts. */
    facts: (others: readonly Pick<KnownFact, 'fact'>[], asked: ReadonlySet<string>): KnownFact[] => {
      const keys = new Set(others.map(({ fact }) => factKey(fact)));
      return said.flatMap(one =>
        one.fact && (asked.has(one.fact.attribute) || keys.has(factKey(one.fact)))
          ? [{ ...one, fact: one.fact }]
          : [],
      );
    },
  };
};

/** The index's copy wins. */
const distinct = <T extends KnownObservation>(all: readonly T[]): T[] => [
  ...new Map([...all].reverse().map(one => [one.id, one])).values(),
];

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
