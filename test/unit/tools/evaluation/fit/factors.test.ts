import { describe, expect, it } from 'vitest';
import { type Factor, fitFactors } from '../../../../../tools/evaluation/fit/factors.ts';
import { makeRandom } from '../../../../../tools/evaluation/measure/bootstrap.ts';

const chance = ({ intercept, weights }: Factor, row: readonly number[]): number =>
  1 / (1 + Math.exp(-weights.reduce((sum, weight, f) => sum + weight * row[f]!, intercept)));
const product = (factors: readonly Factor[], row: readonly number[]): number =>
  factors.reduce((p, factor) => p * chance(factor, row), 1);

/**
 * Something was said, and by the right person: both, or there is no answer. The third column tells nothing.
 */
const drawn = (() => {
  const random = makeRandom(7);
  const rows = Array.from({ length: 1_200 }, () => [random() * 6 - 3, random() * 6 - 3, random()]);
  const truth: Factor[] = [
    { intercept: 1, weights: [2, 0, 0] },
    { intercept: 0.5, weights: [0, 3, 0] },
  ];
  const labels = rows.map(row => (random() < product(truth, row) ? 1 : 0));
  return { rows, labels };
})();
const options = {
  columns: [[0], [1, 2]],
  free: () => false,
  ridge: 1e-4,
  counts: drawn.rows.map(() => 1),
};

describe('a product of logistic regressions', () => {
  const factors = fitFactors(drawn.rows, drawn.labels, options);

  it('finds what must be true beside each other, which no sum does', () => {
    const [said, speaker] = factors;
    expect(said!.weights[0]).toBeGreaterThan(1.4);
    expect(speaker!.weights[1]).toBeGreaterThan(2);
    expect([said!.weights[1], said!.weights[2], speaker!.weights[0]]).toEqual([0, 0, 0]);
    // As much of the one as there is doesn't make up for the other.
    expect(product(factors, [3, -3, 0])).toBeLessThan(0.02);
    expect(product(factors, [-3, 3, 0])).toBeLessThan(0.05);
    expect(product(factors, [3, 3, 0])).toBeGreaterThan(0.8);
    const [sum] = fitFactors(drawn.rows, drawn.labels, { ...options, columns: [[0, 1, 2]] });
    expect(chance(sum!, [3, -3, 0])).toBeGreaterThan(0.05);
  });

  it('gives the probabilities that the rows were drawn by', () => {
    const said = drawn.rows.map(row => product(factors, row));
    for (const [from, to] of [
      [0, 0.2],
      [0.2, 0.5],
      [0.5, 0.8],
      [0.8, 1],
    ] as const) {
      const own = said.flatMap((p, i) => (p >= from && p < to ? [i] : []));
      const mean = (of: (i: number) => number) => own.reduce((sum, i) => sum + of(i), 0) / own.length;
      expect(Math.abs(mean(i => said[i]!) - mean(i => drawn.labels[i]!))).toBeLessThan(0.05);
    }
  });

  it('never lets a column speak against the label that may not', () => {
    const against = drawn.labels.map((label, i) => (drawn.rows[i]![2]! > 0.6 ? 0 : label));
    expect(fitFactors(drawn.rows, against, options)[1]!.weights[2]).toBe(0);
    const free = fitFactors(drawn.rows, against, { ...options, free: column => column === 2 });
    expect(free[1]!.weights[2]).toBeLessThan(-1);
  });

  it('is the same every time, and stays at its prior where the ridge is strong', () => {
    expect(fitFactors(drawn.rows, drawn.labels, options)).toEqual(factors);
    const held = fitFactors(drawn.rows, drawn.labels, { ...options, ridge: 100, prior: [0.7, 0.2, 0.1] });
    for (const [f, weight] of [0.7, 0.2, 0.1].entries())
      expect(held[0]!.weights[f]! + held[1]!.weights[f]!).toBeCloseTo(weight, 1);
  });

  it('counts rows, and what is given besides', () => {
    const counts = drawn.labels.map(label => (label === 1 ? 1 : 0.1));
    const kinder = fitFactors(drawn.rows, drawn.labels, { ...options, counts });
    expect(product(kinder, [0, 0, 0.5])).toBeGreaterThan(product(factors, [0, 0, 0.5]));
    const half = drawn.rows.map(() => 0.5);
    const rarer = drawn.labels.map((label, i) => (label === 1 && i % 2 === 0 ? 1 : 0));
    const given = fitFactors(drawn.rows, rarer, { ...options, given: half });
    expect(product(given, [2, 2, 0])).toBeGreaterThan(0.7);
  });
});
