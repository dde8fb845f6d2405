/** Which facts of a recall hold, and what follows for its ranking. */

import { attributesAskedFor, holdsOne } from '../../../projections/facts/attributes.ts';
import { type Standing, standingOf } from '../../../projections/facts/standing.ts';
import { factKey } from '../../../projections/facts/stored-fact.ts';
import { asksAboutPast } from '../../../projections/language/asks-past.ts';
import { asksForPresent } from '../../../projections/ranking/lately.ts';
import { tailObservations } from '../../../projections/recall/tail/tail-turn.ts';
import type {
  ChosenHit,
  KnownFact,
  NoLonger,
  RecallIndex,
  Scope,
  SearchRequest,
  StoredFragment,
  TailTurn,
} from '../../core/ports.ts';
import type { FactPorts } from './facts.ts';
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

export interface HeldPorts extends FactPorts {
  index: Pick<RecallIndex, 'observationsOf' | 'facts' | 'turnsOf'>;
}

export interface WhatHolds {
  /** The ranking with what holds before what held. */
  ranking: RankedCandidates;
  /** Whether an observation may be a hit: one that no longer holds is none, unless the question asks about the past. */
  isShown(id: string): boolean;
  /** Whether the question asks about the past, in which all that was said belongs. */
  isPast: boolean;
  /** What of a hit no longer holds. */
  noLonger(hit: ChosenHit): NoLonger | undefined;
  /** What holds of what was asked for and of what these hits say. */
  holding(hits: readonly ChosenHit[]): KnownFact[];
}

const NONE: ReadonlyMap<number, StoredFragment> = new Map();

const hasFact = (one: StoredFragment): one is WithFact => one.fact !== undefined;

/**
 * (for a question for the present: the first turns in another order →) facts of the best turns → all facts of their keys and, of a
 * user, of what the question asks for → one fold → the ranking. Two more reads, of which the second is left out where nothing was
 * said of anybody; one before them for the words of the first turns.
 */
export const readWhatHolds = async (
  ports: HeldPorts,
  { scope, q, tail, moment, holds }: Pick<SearchRequest, 'scope' | 'q' | 'tail' | 'moment' | 'holds'>,
  given: RankedCandidates,
  signal?: AbortSignal,
): Promise<WhatHolds> => {
  const { index } = ports;
  const asked = new Set(attributesAskedFor(q));
  const isPast = holds === undefined ? asksAboutPast(q) : holds === 'ever';
  const present = isPast ? undefined : asksForPresent(q, [...asked].some(holdsOne));
  const ranking = present ? await ofThePresent(given, present) : given;
  const { turns, observed } = best(ranking.ranked);
  const [stored, said, ofAsked] = await Promise.all([
    index.observationsOf(scope, turns.map(turnIdOf), signal),
    observed.length === 0 ? NONE : ranking.fragments(observed.map(({ candidate }) => candidate.key)),
    scope.user === undefined || asked.size === 0
      ? []
      : index.facts(scope, { user: scope.user, attributes: [...asked] }, signal),
  ]);
  const facts = [...stored, ...said.values()].filter(hasFact);
  const keys = missingKeys(facts, ofAsked);
  const ofKeys = keys.length === 0 ? [] : await index.facts(scope, { keys }, signal);
  const known = distinct([...ofAsked, ...ofKeys, ...factsOfTail(tail, facts, asked, scope)]);
  const standing = standingOfUsers(known, moment);
  const ofTurns = Map.groupBy(facts, ({ sourceTurnId }) => sourceTurnId!);
  const isShown = (id: string): boolean => isPast || !standing.superseded.has(id);

  return {
    ranking: isPast
      ? ranking
      : await reordered(
          ports,
          { scope, asked, ofTurns, standing, signal },
          ranking,
          lead(q, asked, known, standing),
        ),
    isShown,
    isPast,
    noLonger: hit => noLonger(hit, { asked, ofTurns, standing }),
    holding: hits => holdingOf(hits, { asked, facts, known, standing }),
  };
};

/** Names stand for one person within one user's partition only. */
const standingOfUsers = (facts: readonly KnownFact[], moment: number): Standing<KnownFact> => {
  const standings = [...Map.groupBy(facts, ({ user }) => user).values()].map(ofUser =>
    standingOf(ofUser, moment),
  );
  return {
    superseded: new Map(standings.flatMap(({ superseded }) => [...superseded])),
    holding: new Map(standings.flatMap(({ holding }) => [...holding])),
  };
};

/** The keys of these facts of which not all facts were read. */
const missingKeys = (
  facts: readonly WithFact[],
  read: readonly KnownFact[],
): { user: string; key: string }[] => {
  const known = new Set(read.map(({ fact }) => factKey(fact)));
  const missing = new Map<string, { user: string; key: string }>();
  for (const { user, fact } of facts) {
    const key = factKey(fact);
    if (!known.has(key)) missing.set(key, { user, key });
  }
  return [...missing.values()];
};

/** What clients said with turns that the index may not have yet. */
const factsOfTail = (
  tail: readonly TailTurn[],
  facts: readonly Pick<KnownFact, 'fact'>[],
  asked: ReadonlySet<string>,
  { session }: Scope,
): KnownFact[] => {
  const keys = new Set(facts.map(({ fact }) => factKey(fact)));
  return tail
    .filter(turn => turn.facts !== undefined && (session ?? turn.session) === turn.session)
    .flatMap(turn =>
      tailObservations(turn).flatMap(one =>
        one.fact && (asked.has(one.fact.attribute) || keys.has(factKey(one.fact)))
          ? [{ key: -1, ...one, fact: one.fact, recordedAt: Number.MAX_SAFE_INTEGER }]
          : [],
      ),
    );
};

const distinct = (facts: readonly KnownFact[]): KnownFact[] => [
  ...new Map([...facts].reverse().map(fact => [fact.id, fact])).values(),
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
): KnownFact[] => {
  const turns = new Set(
    hits.flatMap(hit =>
      hit.kind === 'entity' ? [] : [hit.kind === 'turn' ? hit.fragment.id : hit.fragment.sourceTurnId!],
    ),
  );
  const keys = new Set([
    ...known.filter(({ fact }) => asked.has(fact.attribute)).map(({ fact }) => factKey(fact)),
    ...facts.filter(({ sourceTurnId }) => turns.has(sourceTurnId!)).map(({ fact }) => factKey(fact)),
  ]);
  return [...keys]
    .flatMap(key => (standing.holding.get(key) ?? []).map(({ said: [latest] }) => latest))
    .slice(0, MOST_HELD);
};
