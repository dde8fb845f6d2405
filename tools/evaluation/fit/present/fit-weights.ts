import {
  leadAt,
  leadOf,
  mayBeReplaced,
  NOW_ROW,
  type PresentWeights,
  weigh,
  weighted,
} from '../../../../domain/ranking/present/decide.ts';
import { nowRows } from '../../../../domain/ranking/present/now-features.ts';
import { PAIR_FEATURES, pairRow, type Weighed } from '../../../../domain/ranking/present/pair-features.ts';
import { type Described, TURN_FEATURES, turnRows } from '../../../../domain/ranking/present/turn-features.ts';
import { fitListwise, type Group } from '../listwise.ts';
import { fitLogistic } from '../logistic.ts';
import type { PresentCase } from './present-cases.ts';

/** A case whose turns were read. */
export interface ReadCase extends PresentCase {
  described: Described[];
}

/** How much cases count: one of a data set, and a change, beside a story in which nothing changes. */
export interface CaseWeights {
  question: number;
  change: number;
}

export type OrderWeights = Pick<PresentWeights, 'answers' | 'now'>;

const RIDGE = 0.003;
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

/** Fits both steps of the order: which turns answer the question, and which of the answers holds. */
export const fitOrder = (cases: readonly ReadCase[], counts: CaseWeights): OrderWeights => {
  const fitted = cases.filter(isFitted).map(one => {
    const rows = turnRows(one.question, one.prepared, one.described);
    return { one, rows, weight: one.kind === 'question' ? counts.question : 1 };
  });
  const answers = fitListwise(
    fitted.flatMap(({ one, rows, weight }) => groupOf(rows, placesOf(one, ['holds', 'over']), weight)),
    TURN_FEATURES.length,
    { ridge: RIDGE, steps: STEPS },
  );
  const now = fitListwise(
    fitted.flatMap(({ one, rows, weight }) => {
      const odds = rows.map(row => weighted(row, answers));
      const times = nowRows(one.described, odds);
      const whole = times.map((row, i) => Float64Array.from([...row, ...rows[i]!]));
      return groupOf(whole, placesOf(one, ['holds']), one.kind === 'change' ? counts.change : weight);
    }),
    NOW_ROW.length,
    { ridge: RIDGE, steps: STEPS },
  );
  return { answers, now };
};

export const weighCase = (one: ReadCase, weights: OrderWeights): Weighed[] =>
  weigh(one.question, one.prepared, one.described, weights);

export const firstOf = (weighed: readonly Weighed[]): number => leadOf(weighed).first;

/** The pairs of a turn and the one that is first: whether that replaces it. */
export const pairsOf = (one: ReadCase, weighed: readonly Weighed[], first: number) => {
  const lead = leadAt(weighed, first);
  return [...weighed.keys()]
    .filter(i => i !== first && mayBeReplaced(one.question, weighed[i]!.turn, lead.now.turn))
    .map(i => ({
      i,
      row: pairRow(one.question, weighed[i]!, lead),
      isReplaced: one.labels[i] === 'over' && one.labels[first] === 'holds',
    }));
};

/** Fits which turns are replaced, with weights of the order that never saw the case. */
export const fitReplaced = (
  cases: readonly ReadCase[],
  weightsOf: (one: ReadCase) => OrderWeights,
): PresentWeights['replaced'] => {
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
  if (weights.length !== PAIR_FEATURES.length) throw new Error('there are no pairs to fit');
  return { intercept, weights: Float64Array.from(weights) };
};
