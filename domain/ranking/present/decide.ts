/** Which of the best turns says what holds now, and which ones it replaces. */
import type { Language } from '../../language/language.ts';
import type { Prepared } from '../features/features.ts';
import { asksForSeveral } from './asks-for-present.ts';
import fitted from './fitted.json' with { type: 'json' };
import { NOW_FEATURES, nowRows, sigmoid } from './now-features.ts';
import { type Lead, PAIR_FEATURES, pairRow, type Weighed } from './pair-features.ts';
import { type Described, describe, type ReadTurn, TURN_FEATURES, turnRows } from './turn-features.ts';
import { makeWording, type WordingWeights } from './wording.ts';

/** The fitted weights, by the names of the features. */
export interface PresentWeights {
  wording: WordingWeights;
  /** Whether a turn answers the question, whether its answer still holds or not. */
  answers: Float64Array;
  /** Whether it says what holds: of its own features and its time. */
  now: Float64Array;
  /** Whether a turn is replaced by the one that says what holds. */
  replaced: { intercept: number; weights: Float64Array };
}

const byName = (names: readonly string[], weights: Record<string, number>): Float64Array =>
  Float64Array.from(names, name => weights[name] ?? 0);

export const NOW_ROW = [...NOW_FEATURES, ...TURN_FEATURES] as const;

const WEIGHTS: PresentWeights = {
  wording: fitted.wording,
  answers: byName(TURN_FEATURES, fitted.answers),
  now: byName(NOW_ROW, fitted.now),
  replaced: {
    intercept: fitted.replaced.intercept,
    weights: byName(PAIR_FEATURES, fitted.replaced.weights),
  },
};

/** A turn is marked from this probability on: few that hold are. Chosen on the curve that the fit prints. */
const MARKED_FROM = fitted.replaced.from;

export const weighted = (row: ArrayLike<number>, weights: Float64Array): number => {
  let sum = 0;
  for (let f = 0; f < weights.length; f++) sum += weights[f]! * row[f]!;
  return sum;
};

/** Weighs the turns in two steps: which of them answer the question, and which of the answers holds. */
export const weigh = (
  question: string,
  prepared: Prepared,
  turns: readonly Described[],
  { answers, now }: Pick<PresentWeights, 'answers' | 'now'>,
): Weighed[] => {
  const rows = turnRows(question, prepared, turns);
  const odds = rows.map(row => weighted(row, answers));
  const times = nowRows(turns, odds);
  const best = Math.max(...odds);
  return turns.map((turn, i) => ({
    turn,
    answers: odds[i]! - best,
    now: weighted([...times[i]!, ...rows[i]!], now),
  }));
};

/** It adds to what holds, and ends nothing. */
const ADDS =
  /\b(?:too|as well|also|another|besides|on top of|in addition|next to|added|one more|both|plus)\b/i;

/** Whether two turns of one speaker name the same relatives, or none. */
const isOfOnePerson = ({ one, cues: { people } }: Described, other: Described): boolean =>
  one.candidate.role === other.one.candidate.role &&
  (people.size + other.cues.people.size === 0 || !people.isDisjointFrom(other.cues.people));

/** Whether a turn can be replaced: never where both may hold, nor by a turn about another person. */
export const mayBeReplaced = (question: string, old: Described, now: Described): boolean =>
  !asksForSeveral(question) && !ADDS.test(now.sentence) && isOfOnePerson(old, now);

/** Index of the turn that says what holds, and of those that it replaces. */
export interface Decided {
  first: number;
  replaced: number[];
}

const MOST_MARGIN = 5;

/** Returns the turn that says what holds: the first of the best ones, with what the others come to. */
export const leadOf = (weighed: readonly Weighed[]): Lead & { first: number } => {
  const odds = weighed.map(({ now }) => now);
  return leadAt(weighed, odds.indexOf(Math.max(...odds)));
};

/** Returns the same for a given turn. */
export const leadAt = (weighed: readonly Weighed[], first: number): Lead & { first: number } => {
  const now = weighed[first]!;
  const others = weighed.filter(one => one !== now);
  const margin = others.reduce((least, other) => Math.min(least, now.now - other.now), MOST_MARGIN);
  const answers = Math.max(...others.map(other => other.answers));
  return { first, now, margin, next: others.find(other => other.answers === answers) };
};

/** Decides among the best turns of a question for the present, best first; at least one. */
export const makeDecide = (weights: PresentWeights = WEIGHTS) => {
  const wordingOf = makeWording(weights.wording);
  const { intercept, weights: pairs } = weights.replaced;
  return (
    language: Pick<Language, 'analyse'>,
    question: string,
    prepared: Prepared,
    turns: readonly ReadTurn[],
  ): Decided => {
    const weighed = weigh(question, prepared, describe({ language, wordingOf }, prepared, turns), weights);
    const lead = leadOf(weighed);
    const { first } = lead;
    const isReplaced = (old: Weighed): boolean =>
      mayBeReplaced(question, old.turn, lead.now.turn) &&
      sigmoid(intercept + weighted(pairRow(question, old, lead), pairs)) >= MARKED_FROM;
    const replaced = [...weighed.keys()].filter(i => i !== first && isReplaced(weighed[i]!));
    return { first, replaced };
  };
};
