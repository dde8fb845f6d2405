/** Adds to the hits what was understood of them, and puts what answers the question first. */
import type {
  ChosenHit,
  ChosenObservation,
  ChosenTurn,
  NestedObservation,
  Scope,
  StoredFragment,
  TurnDetails,
} from '../../../../core/ports.ts';
import { type Answering, nestedOf } from '../../../../domain/facts/nested.ts';
import type { WhatHolds } from './what-holds.ts';

type ObservationsOf = TurnDetails['observationsOf'];

/** Reads the observations of each turn once: ranking, folding and nesting need those of the same turns. */
export const readOnce = (observationsOf: ObservationsOf): ObservationsOf => {
  const known = new Map<string, StoredFragment[]>();
  return async (scope, turnIds, signal) => {
    const missing = turnIds.filter(id => !known.has(id));
    if (missing.length > 0) {
      const read = Map.groupBy(await observationsOf(scope, missing, signal), one => one.sourceTurnId!);
      for (const id of missing) known.set(id, read.get(id) ?? []);
    }
    return [...new Set(turnIds)].flatMap(id => known.get(id)!);
  };
};

/**
 * Returns the hits with the facts of their turns, but for those that are hits themselves. Among observations
 * those that answer the question take the first places.
 */
export const withNested = async (
  hits: readonly ChosenHit[],
  scope: Scope,
  observationsOf: ObservationsOf,
  held: Pick<WhatHolds, 'answering' | 'isShown' | 'noLongerFact' | 'disputedBy'>,
): Promise<ChosenHit[]> => {
  const turns = hits.flatMap(hit => (hit.kind === 'turn' ? [hit.fragment.id] : []));
  const known = new Set(hits.flatMap(hit => (hit.kind === 'observation' ? [hit.fragment.id] : [])));
  const read = turns.length === 0 ? [] : await observationsOf(scope, turns);
  const ofTurns = Map.groupBy(
    read.filter(({ id }) => !known.has(id) && held.isShown(id)),
    ({ sourceTurnId }) => sourceTurnId!,
  );
  const nested = (hit: ChosenTurn): NestedObservation[] =>
    nestedOf(hit.fragment.text, ofTurns.get(hit.fragment.id) ?? [], held.answering).map(fragment => ({
      fragment,
      noLonger: held.noLongerFact(fragment.id),
      disputedBy: held.disputedBy(fragment.id),
    }));
  return answeringFirst(hits, held.answering).map(hit =>
    hit.kind === 'turn' ? { ...hit, observations: nested(hit) } : hit,
  );
};

/** Places keep their scores. */
const answeringFirst = (
  hits: readonly ChosenHit[],
  answering: (one: StoredFragment) => Answering,
): ChosenHit[] => {
  const isAnswer = (hit: ChosenObservation): boolean => answering(hit.fragment) === 2;
  const ordered = hits
    .filter(hit => hit.kind === 'observation')
    .toSorted((a, b) => Number(isAnswer(b)) - Number(isAnswer(a)));
  let next = 0;
  return hits.map(hit => (hit.kind === 'observation' ? withScore(ordered[next++]!, hit.score) : hit));
};

/** Scales the explanation with the score, so that it adds up. */
const withScore = (hit: ChosenObservation, score: number): ChosenObservation => {
  const { explanation } = hit;
  if (score === hit.score || explanation === undefined) return { ...hit, score };
  return { ...hit, score, explanation: { ...explanation, factor: (explanation.factor * score) / hit.score } };
};
