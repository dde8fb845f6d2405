import { describe, expect, it } from 'vitest';
import { MODEL_FEATURES, modelRows } from '../../../../projections/ranking/model-features.ts';

const candidates = Array.from({ length: 5 }, (_, key) => ({ key }));
const rowsOf = (cosines: [number, number][]) => {
  const rows = modelRows({ cosines: new Map(cosines) }, candidates);
  const width = MODEL_FEATURES.length;
  return candidates.map((_, c) => [...rows.subarray(c * width, (c + 1) * width)]);
};

describe('what a model says of candidates', () => {
  it('does not depend on the scale of its cosines', () => {
    const cosines: [number, number][] = [
      [0, 0.1],
      [1, 0.5],
      [2, 0.3],
      [3, 0.2],
      [4, 0.9],
    ];
    const narrow = rowsOf(cosines.map(([key, cosine]) => [key, 0.8 + cosine / 10]));
    rowsOf(cosines).forEach((row, c) => {
      row.forEach((value, f) => {
        expect(narrow[c]![f]).toBeCloseTo(value, 4);
      });
    });
  });

  it('ranks a candidate without a vector as one of the middle', () => {
    const rows = rowsOf([
      [0, 0.2],
      [1, 0.4],
    ]);
    expect(rows[2]).toEqual(rows[3]);
    for (let f = 0; f < MODEL_FEATURES.length; f++) {
      expect(rows[2]![f]).toBeGreaterThanOrEqual(rows[0]![f]!);
      expect(rows[2]![f]).toBeLessThanOrEqual(rows[1]![f]!);
    }
  });

  it.each([
    ['no candidate has a vector', []],
    ['all are as near', candidates.map(({ key }) => [key, 0.7])],
  ])('is the same of all where %s', (_, cosines) => {
    const rows = rowsOf(cosines as [number, number][]);
    for (const row of rows) {
      expect(row).toEqual(rows[0]);
      expect(row.every(Number.isFinite)).toBe(true);
    }
  });
});
