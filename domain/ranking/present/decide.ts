/** Which of the best turns says what holds now, and which ones it replaces. */
import type { Language } from '../../language/language.ts';
import type { TurnToRead } from '../../reader/input.ts';
import type { Prepared } from '../features/features.ts';
import { asksForSeveral } from './asks-for-present.ts';
import { READ_PAIR_FEATURES, READ_TURN_FEATURES, readPairRow, readTurnRows } from './by-reader.ts';
import fitted from './fitted.json' with { type: 'json' };
import { NOW_FEATURES, nowRows, sigmoid } from './now-features.ts';
import { type Lead, PAIR_FEATURES, pairRow, type Weighed } from './pair-features.ts';
import { type Described, describe, type ReadTurn, TURN_FEATURES, turnRows } from './turn-features.ts';
import { makeWording, type WordingWeights } from './wording.ts';

/** Weights of a logistic regression. */
export interface Logistic {
  intercept: number;
  weights: Float64Array;
}

/** The fitted weights of the order and the marks, by the names of the features. */
export interface OrderWeights {
  /** Whether a turn answers the question, whether its answer still holds or not. */
  answers: Float64Array;
  /** Whether it says what holds: by its own features and its time. */
  now: Float64Array;
}

export interface DecideWeights extends OrderWeights {
  /** Whether a turn is replaced by the one that says what holds. */
  replaced: Logistic;
  /** The least probability of a turn that is marked. Chosen on the curve that the fit prints. */
  markedFrom: number;
}

export interface PresentWeights {
  wording: WordingWeights;
  /** By the features of the words. */
  alone: DecideWeights;
  /** By these and what the reader says. */
  read: DecideWeights;
}

const NOW_ROW = [...NOW_FEATURES, ...TURN_FEATURES] as const;
/** Names of the features, without and with the reader. */
export const ROWS = {
  alone: { answers: TURN_FEATURES, now: NOW_ROW, replaced: PAIR_FEATURES },
  read: {
    answers: [...TURN_FEATURES, ...READ_TURN_FEATURES],
    now: [...NOW_ROW, ...READ_TURN_FEATURES],
    replaced: [...PAIR_FEATURES, ...READ_PAIR_FEATURES],
  },
} as const;

interface FittedWeights {
  answers: Record<string, number>;
  now: Record<string, number>;
  replaced: { from: number; intercept: number; weights: Record<string, number> };
}

const weightsOf = (
  { answers, now, replaced }: FittedWeights,
  rows: Record<'answers' | 'now' | 'replaced', readonly string[]>,
): DecideWeights => {
  const byName = (names: readonly string[], weights: Record<string, number>): Float64Array =>
    Float64Array.from(names, name => weights[name] ?? 0);
  return {
    answers: byName(rows.answers, answers),
    now: byName(rows.now, now),
    replaced: { intercept: replaced.intercept, weights: byName(rows.replaced, replaced.weights) },
    markedFrom: replaced.from,
  };
};

const WEIGHTS: PresentWeights = {
  wording: fitted.wording,
  alone: weightsOf(fitted.weights.alone, ROWS.alone),
  read: weightsOf(fitted.weights.read, ROWS.read),
};

export const weighted = (row: ArrayLike<number>, weights: Float64Array): number => {
  let sum = 0;
  for (let f = 0; f < weights.length; f++) sum += weights[f]! * row[f]!;
  return sum;
};

/** Returns a row per turn: whether it answers. */
export const answerRows = (
  question: string,
  prepared: Prepared,
  turns: readonly Described[],
  readings?: readonly number[],
): Float64Array[] => joined(turnRows(question, prepared, turns), readings && readTurnRows(readings));

/** Returns a row per turn: whether it says what holds. */
export const holdsRows = (
  turns: readonly Described[],
  answers: { rows: readonly Float64Array[]; odds: readonly number[] },
): Float64Array[] => joined(nowRows(turns, answers.odds), answers.rows);

const joined = (
  rows: readonly Float64Array[],
  more: readonly ArrayLike<number>[] | undefined,
): Float64Array[] => rows.map((row, i) => (more ? Float64Array.of(...row, ...Array.from(more[i]!)) : row));

/** Weighs the turns in two steps: which of them answer the question, and which of the answers holds. */
export const weigh = (
  question: string,
  prepared: Prepared,
  turns: readonly Described[],
  { answers, now }: OrderWeights,
  readings?: readonly number[],
): Weighed[] => {
  const rows = answerRows(question, prepared, turns, readings);
  const odds = rows.map(row => weighted(row, answers));
  const holds = holdsRows(turns, { rows, odds });
  const best = Math.max(...odds);
  return turns.map((turn, i) => ({ turn, answers: odds[i]! - best, now: weighted(holds[i]!, now) }));
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

/** Returns a turn as the reader gets it. */
export const turnToRead = ({ one: { candidate }, sentences, fits }: Described): TurnToRead => ({
  role: candidate.role,
  sentences,
  fits,
});

/** Index of the turn that says what holds, and of those that it replaces. */
export interface Decided {
  first: number;
  replaced: number[];
}

const MOST_MARGIN = 5;

/** Returns the index of the turn that says what holds. */
export const firstOf = (weighed: readonly Weighed[]): number => {
  const odds = weighed.map(({ now }) => now);
  return odds.indexOf(Math.max(...odds));
};

/** Returns the turn that says what holds beside the others. */
export const leadAt = (weighed: readonly Weighed[], first: number): Lead => {
  const now = weighed[first]!;
  const others = weighed.filter(one => one !== now);
  const margin = others.reduce((least, other) => Math.min(least, now.now - other.now), MOST_MARGIN);
  const answers = Math.max(...others.map(other => other.answers));
  return { now, margin, next: others.find(other => other.answers === answers) };
};

/** Returns the row of a turn beside the one that says what holds. */
export const replacedRow = (
  question: string,
  old: Weighed,
  lead: Lead,
  readings?: Record<'old' | 'now', number>,
): Float64Array => {
  const row = pairRow(question, old, lead);
  return readings ? Float64Array.of(...row, ...readPairRow(readings.old, readings.now)) : row;
};

export const makeDecide = ({ wording, alone, read }: PresentWeights = WEIGHTS) => {
  const wordingOf = makeWording(wording);
  return {
    /** Describes the best turns of a question, each beside the others. */
    describe: (language: Pick<Language, 'analyse'>, prepared: Prepared, turns: readonly ReadTurn[]) =>
      describe({ language, wordingOf }, prepared, turns),

    /**
     * Decides among the best turns of a question for the present, best first; at least one.
     *
     * @param readings the reader's log-odds that each turn answers; without them the features decide alone
     */
    decide(
      question: string,
      prepared: Prepared,
      turns: readonly Described[],
      readings?: readonly number[],
    ): Decided {
      const weights = readings ? read : alone;
      const weighed = weigh(question, prepared, turns, weights, readings);
      const first = firstOf(weighed);
      const lead = leadAt(weighed, first);
      const isReplaced = (i: number): boolean => {
        const old = weighed[i]!;
        if (!mayBeReplaced(question, old.turn, lead.now.turn)) return false;
        const both = readings && { old: readings[i]!, now: readings[first]! };
        const { intercept, weights: pairs } = weights.replaced;
        const odds = intercept + weighted(replacedRow(question, old, lead, both), pairs);
        return sigmoid(odds) >= weights.markedFrom;
      };
      return { first, replaced: [...weighed.keys()].filter(i => i !== first && isReplaced(i)) };
    },
  };
};
