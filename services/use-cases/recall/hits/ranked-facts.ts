/**
 * Extracted observations of ranked turns: which of them may stand in a turn's place, and which come with room
 * left.
 */

import type {
  ChosenHit,
  ChosenObservation,
  Scope,
  StoredFragment,
  TurnDetails,
} from '../../../../core/ports.ts';
import { standsAlone } from '../../../../domain/extraction/stands-alone.ts';
import type { Language } from '../../../../domain/language/language.ts';
import { type Explanation, explain } from '../../../../domain/ranking/explain.ts';
import type { Prepared } from '../../../../domain/ranking/features/features.ts';
import { type Said, shareSaid } from '../../../../domain/ranking/place-by-place.ts';
import { type Ranked, rank } from '../../../../domain/ranking/rank.ts';
import { type Document, NO_NEIGHBOURS, wholeOf } from '../../../../domain/search/document.ts';
import { sourceTurnsOf } from '../../../../domain/search/fragment.ts';

export interface FactPorts {
  details: Pick<TurnDetails, 'observationsOf'>;
  language: Pick<Language, 'analyse'>;
}

/** A fact that was extracted from a turn, ranked by its own words. */
export interface Fact {
  one: Ranked;
  fragment: StoredFragment;
  said: Said;
}

/** By their ids, which a candidate has without its prefix. */
export const turnsById = (ranked: readonly Ranked[]): Map<string, Ranked> =>
  new Map(
    ranked.filter(({ candidate }) => candidate.kind === 'turn').map(one => [`trn_${one.candidate.id}`, one]),
  );

/**
 * Returns, for each of these turns, the fact that covers most of the question, among those that stand alone;
 * the shortest of equal ones.
 */
export const bestFacts = async (
  ports: FactPorts,
  scope: Scope,
  prepared: Prepared,
  turns: ReadonlyMap<string, Ranked>,
): Promise<ReadonlyMap<string, Fact>> => {
  const stored = await ports.details.observationsOf(scope, [...turns.keys()]);
  const alone = stored.filter(({ text }) => standsAlone(text));
  const best = new Map<string, Fact>();
  for (const [one, fragment] of rankedFacts(ports, prepared, alone, turns)) {
    const turnId = fragment.sourceTurnId!;
    const fact = { one, fragment, said: shareSaid(one, turns.get(turnId)!, prepared.scope) };
    const other = best.get(turnId);
    if (!other || isBetter(fact, other)) best.set(turnId, fact);
  }
  return best;
};

const isBetter = (one: Fact, other: Fact): boolean => {
  const more = one.said.share - other.said.share;
  if (more !== 0) return more > 0;
  const shorter = other.fragment.text.length - one.fragment.text.length;
  return shorter === 0 ? one.fragment.id < other.fragment.id : shorter > 0;
};

/** Facts as the ranker sees them, best first. */
export const rankedFacts = (
  { language }: FactPorts,
  prepared: Prepared,
  facts: readonly StoredFragment[],
  turns: ReadonlyMap<string, Ranked>,
): [one: Ranked, fragment: StoredFragment][] => {
  const candidates = facts.map((one, key) => ({
    key,
    id: one.id.slice(4),
    kind: 'observation' as const,
    session: turns.get(one.sourceTurnId!)!.candidate.session,
    role: one.role,
    timestamp: one.timestamp,
    document: language.analyse(one.text, one),
    neighbours: NO_NEIGHBOURS,
  }));
  return rank(prepared, candidates).map(one => [one, facts[one.candidate.key]!]);
};

/** A fact repeats a turn when it has no content word that the turn doesn't have. */
export const repeats = (document: Document, turn: Ranked): boolean => {
  const said = new Set(wholeOf(turn.candidate).stems);
  return document.stems.every(stem => said.has(stem));
};

/** Explains a score where that was asked for. */
export type ExplanationOf = (one: Ranked) => Explanation | undefined;
export const explanations =
  (explained: boolean): ExplanationOf =>
  one =>
    explained ? explain(one) : undefined;

export const observationHit = (
  one: Ranked,
  fragment: StoredFragment,
  explanationOf: ExplanationOf,
): ChosenObservation => ({
  kind: 'observation',
  score: one.score,
  explanation: explanationOf(one),
  fragment,
  passage: one.candidate.part?.index,
  sourceTurnIds: sourceTurnsOf(fragment),
});

/** The hit with another score: it takes a place that its own words didn't give it. */
export const scaled = <T extends ChosenHit>(hit: T, factor: number): T => {
  const score = factor * hit.score;
  if (hit.kind === 'entity' || !hit.explanation) return { ...hit, score };
  return { ...hit, score, explanation: { ...hit.explanation, factor: factor * hit.explanation.factor } };
};
