import type { ChosenHit, Kind, Scope, StoredFragment, TurnDetails } from '../../../../core/ports.ts';
import type { Prepared } from '../../../../domain/ranking/features/features.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';
import { isSaidAgain } from './already-said.ts';
import { answering, type EntityPorts, entityHits, namedIn } from './entity-hits.ts';
import { type List, placeByPlace } from './hit-list.ts';
import {
  bestFacts,
  explanations,
  type Fact,
  type FactPorts,
  observationHit,
  rankedFacts,
  repeats,
  scaled,
  turnsById,
} from './ranked-facts.ts';

export interface HitPorts extends FactPorts, Pick<EntityPorts, 'names'> {
  details: FactPorts['details'] & Pick<TurnDetails, 'entitiesOf' | 'turnsOf'>;
}

export interface RankedCandidates {
  prepared: Prepared;
  /** Best first. */
  ranked: Ranked[];
  confidence: number;
  /** Whether a turn follows the same question, asked before. */
  follows(one: Ranked): boolean;
  /** Whether a reranking model should have taken part and did not. */
  isNotReranked?: true;
  /** Fragments of ranked candidates by key, without those that have been erased since. */
  fragments(keys: readonly number[]): Promise<ReadonlyMap<number, StoredFragment>>;
}

export interface Wanted {
  scope: Scope;
  q: string;
  kinds: ReadonlySet<Kind>;
  topK: number;
  explain?: boolean | undefined;
  /** Whether an observation, by its id, may be a hit. Default: all may. */
  isShown?: ((id: string) => boolean) | undefined;
}

/**
 * Turns whose entities and extracted observations are considered. It doesn't depend on how many hits are
 * asked for.
 */
const LOOKED_AT = 30;
/** Turns of which one has to name an entity that takes a place before there is room left. */
const NAMED_IN = 10;
/** First turns of which one has to name an entity that may be the answer to a question for a name. */
const ANSWERING_IN = 5;

/**
 * One list of all kinds, best first, at most `topK` long; `erased` if a candidate was erased after it was
 * ranked.
 */
export const chooseHits = async (
  given: HitPorts,
  ranking: RankedCandidates,
  { scope, q, kinds, topK, explain = false, isShown = () => true }: Wanted,
): Promise<ChosenHit[] | 'erased'> => {
  const { prepared, ranked, fragments } = ranking;
  const ports = showing(given, isShown);
  const explanationOf = explanations(explain);
  const wanted = distinct(
    ranked.filter(
      ({ candidate }) =>
        kinds.has(candidate.kind) && (candidate.kind === 'turn' || isShown(`obs_${candidate.id}`)),
    ),
  );
  const turns = turnsById(ranked);
  const first = (most: number) => new Map([...turns].slice(0, most));
  const best = first(LOOKED_AT);
  const competes = kinds.has('turn') && kinds.has('observation');
  const factsOf = async (some: readonly Ranked[]) =>
    competes ? bestFacts(ports, scope, prepared, turnsById(some)) : new Map<string, Fact>();
  const entitiesOf = (some: ReadonlyMap<string, Ranked>) =>
    kinds.has('entity') ? entityHits(ports, scope, some, prepared.statistics.speakers) : [];
  const named = kinds.has('turn') ? namedIn(q, await entitiesOf(first(NAMED_IN))) : [];
  const isAnswer = kinds.has('turn') && prepared.chat === 'assistant' && prepared.query.cues.name;
  const answers = isAnswer ? answering(q, await entitiesOf(first(ANSWERING_IN))) : [];
  const list = await placeByPlace(
    {
      wanted,
      factsOf,
      named: [...answers, ...named],
      ranked: kinds.has('turn') ? turns : new Map(),
      fragments,
      explanationOf,
    },
    topK,
  );
  if (list === 'erased') return 'erased';
  let { hits } = list;
  // With room left, or where no turn is asked for, what adds something comes too.
  if (kinds.has('observation') && (!kinds.has('turn') || hits.length < topK)) {
    const found = await rest(ports, scope, { prepared, best, list });
    const made = found.map(([one, fragment]) => observationHit(one, fragment, explanationOf));
    const added = behind(hits, made).filter(hit => !isSaidAgain(list.said, hit));
    hits = [...hits, ...added].sort((a, b) => b.score - a.score).slice(0, topK);
  }
  if (hits.length >= topK) return hits;
  // A turn says more than the name of an entity in it: others only fill the remaining places.
  const known = new Set(hits.map(hit => (hit.kind === 'entity' ? hit.entity.id : undefined)));
  const others = (await entitiesOf(best)).filter(({ entity }) => !known.has(entity.id));
  return [...hits, ...behind(hits, others).slice(0, topK - hits.length)].sort((a, b) => b.score - a.score);
};

/** The ports without observations that may not be shown, because they no longer hold. */
const showing = (ports: HitPorts, isShown: (id: string) => boolean): HitPorts => ({
  ...ports,
  details: {
    ...ports.details,
    observationsOf: async (...asked) =>
      (await ports.details.observationsOf(...asked)).filter(({ id }) => isShown(id)),
  },
});

/** Extracted observations that are not in the list and add something to it, best first. */
const rest = async (
  ports: FactPorts,
  scope: Scope,
  { prepared, best, list }: { prepared: Prepared; best: ReadonlyMap<string, Ranked>; list: List },
): Promise<[Ranked, StoredFragment][]> => {
  const known = new Set(list.hits.map(hit => (hit.kind === 'entity' ? hit.entity.id : hit.fragment.id)));
  const stored = (await ports.details.observationsOf(scope, [...best.keys()])).filter(
    ({ id }) => !known.has(id),
  );
  return rankedFacts(ports, prepared, stored, best).filter(([one, { sourceTurnId }]) => {
    const turn = list.turns.get(sourceTurnId!);
    return !turn || !repeats(one.candidate.document, turn);
  });
};

/**
 * Removes duplicates: between two hops a turn may move from the tail to the index, and then it has two keys.
 */
const distinct = (ranked: readonly Ranked[]): Ranked[] => {
  const seen = new Set<string>();
  return ranked.filter(({ candidate: { kind, id } }) => {
    const name = `${kind} ${id}`;
    return !seen.has(name) && seen.add(name);
  });
};

/**
 * Ranks what was made of turns behind them, in its own order: before them it would repeat what a turn says.
 */
const behind = <T extends ChosenHit>(kept: readonly ChosenHit[], made: readonly T[]): T[] => {
  const last = kept.reduce((least, hit) => (hit.kind === 'turn' ? Math.min(least, hit.score) : least), 1);
  return made.map(hit => scaled(hit, last));
};
