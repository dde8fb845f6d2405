import {
  answerRows,
  firstOf,
  holdsRows,
  type Logistic,
  leadAt,
  mayBeReplaced,
  type OrderWeights,
  ROWS,
  replacedRow,
  weigh,
  weighted,
} from '../../../../domain/ranking/present/decide.ts';
import type { Weighed } from '../../../../domain/ranking/present/pair-features.ts';
import type { Described } from '../../../../domain/ranking/present/turn-features.ts';
import { fitListwise, type Group } from '../listwise.ts';
import { fitLogistic } from '../logistic.ts';
import type { PresentCase } from './present-cases.ts';

/** A case whose turns were described. */
export interface ReadCase extends PresentCase {
  described: Described[];
  /** The log-odds that its turns answer, by a reader that never saw the case; they are fitted too. */
  readings?: number[] | undefined;
}

/** How much cases count: one of a data set, a change, and a story in which nothing changes. */
export interface CaseWeights {
  question: number;
  change: number;
  keep: number;
}

export interface OrderOptions {
  ridge: number;
  /** Weights of the features alone, that the ridge draws towards; default: 0. */
  prior?: OrderWeights | undefined;
}

const STEPS = 300;

const groupOf = (rows: readonly Float64Array[], positives: readonly number[], weight: number): Group[] => {
  if (positives.length === 0 || positives.length === rows.length) return [];
  const order = [...positives, ...[...rows.keys()].filter(i => !positives.includes(i))];
  return [
    { rows: Float32Array.from(order.flatMap(i => [...rows[i]!])), positives: positives.length, weight },
  ];
};

const placesOf = ({ labels }: ReadCase, wanted: readonly string[]): number[] =>
  [...labels.keys()].filter(i => wanted.includes(labels[i]!));

const isFitted = ({ kind, isAsked }: ReadCase): boolean => isAsked && kind !== 'several';

const namesOf = ({ readings }: ReadCase) => (readings ? ROWS.read : ROWS.alone);

const filled = (weights: Float64Array | undefined, width: number): Float64Array | undefined =>
  weights && Float64Array.from({ length: width }, (_, f) => weights[f] ?? 0);

/**
 * Fits both steps of the order: which turns answer the question, and which of the answers holds. Either all
 * cases have readings or none.
 */
export const fitOrder = (
  cases: readonly ReadCase[],
  counts: CaseWeights,
  { ridge, prior }: OrderOptions,
): OrderWeights => {
  const names = namesOf(cases[0]!);
  const fitted = cases.filter(isFitted).map(one => {
    const rows = answerRows(one.question, one.prepared, one.described, one.readings);
    return { one, rows };
  });
  const answers = fitListwise(
    fitted.flatMap(({ one, rows }) =>
      groupOf(rows, placesOf(one, ['holds', 'over']), one.kind === 'question' ? counts.question : 1),
    ),
    names.answers.length,
    { ridge, steps: STEPS, prior: filled(prior?.answers, names.answers.length) },
  );
  const countOf = ({ kind }: ReadCase): number => (kind === 'twice' ? 1 : counts[kind as keyof CaseWeights]);
  const now = fitListwise(
    fitted.flatMap(({ one, rows }) => {
      const odds = rows.map(row => weighted(row, answers));
      const whole = holdsRows(one.described, { rows, odds });
      return groupOf(whole, placesOf(one, ['holds']), countOf(one));
    }),
    names.now.length,
    { ridge, steps: STEPS, prior: filled(prior?.now, names.now.length) },
  );
  return { answers, now };
};

export const weighCase = (one: ReadCase, weights: OrderWeights): Weighed[] =>
  weigh(one.question, one.prepared, one.described, weights, one.readings);

/** The pairs of a turn and the one that is first: whether that replaces it. */
export const pairsOf = (one: ReadCase, weighed: readonly Weighed[], first: number) => {
  const { readings } = one;
  const lead = leadAt(weighed, first);
  return [...weighed.keys()]
    .filter(i => i !== first && mayBeReplaced(one.question, weighed[i]!.turn, lead.now.turn))
    .map(i => {
      const both = readings && { old: readings[i]!, now: readings[first]! };
      const isReplaced = one.labels[i] === 'over' && one.labels[first] === 'holds';
      return { i, row: replacedRow(one.question, weighed[i]!, lead, both), isReplaced };
    });
};

/** Fits which turns are replaced, with weights of the order that never saw the case. */
export const fitReplaced = (
  cases: readonly ReadCase[],
  weightsOf: (one: ReadCase) => OrderWeights,
): Logistic => {
  const pairs = cases
    .filter(({ isAsked }) => isAsked)
    .flatMap(one => {
      const weighed = weighCase(one, weightsOf(one));
      // The right one too, where another is first: marks are learnt from as many changes as there are.
      const firsts = new Set([firstOf(weighed), ...placesOf(one, ['holds']).slice(-1)]);
      return [...firsts].flatMap(first => pairsOf(one, weighed, first));
    });
  const { intercept, weights } = fitLogistic(
    pairs.map(({ row }) => [...row]),
    pairs.map(({ isReplaced }) => (isReplaced ? 1 : 0)),
  );
  if (weights.length !== namesOf(cases[0]!).replaced.length) throw new Error('there are no pairs to fit');
  return { intercept, weights: Float64Array.from(weights) };
};
