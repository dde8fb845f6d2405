import { describe, expect, it } from 'vitest';
import { MODEL_FEATURES, modelRows } from '../../../../../domain/ranking/features/model-features.ts';
import type { Neighbour } from '../../../../../domain/search/document.ts';

const QUERY = Int8Array.of(127, 0, 0);
const ids = ['a', 'b', 'c', 'd', 'e'];
const neighbour = (id?: string) => (id === undefined ? undefined : ({ id } as Neighbour));
const sessionOf = (turns: string[]) =>
  turns.map((id, i) => ({
    id,
    neighbours: [i - 2, i - 1, i + 1, i + 2].map(at => neighbour(turns[at])) as unknown as [Neighbour],
  }));
const alone = ids.map(id => ({ id, neighbours: [] as unknown as [Neighbour] }));

/** The features of candidates by name, from a vector of each. */
const rowsOf = (vectors: Record<string, [number, number, number]>, candidates = alone) => {
  const known = Object.entries(vectors).map(([id, values]) => {
    const vector = Int8Array.from(values);
    const cosine = values[0] / Math.hypot(...values);
    return [id, { inContext: vector, cosine }] as const;
  });
  const rows = modelRows({ query: QUERY, turns: new Map(known) }, candidates);
  const width = MODEL_FEATURES.length;
  return candidates.map((_, c) =>
    Object.fromEntries(MODEL_FEATURES.map((name, f) => [name, rows[c * width + f]!])),
  );
};

describe('what a model says of candidates', () => {
  it('is how near a turn is, of all that are there', () => {
    const rows = rowsOf({ a: [9, 0, 0], b: [5, 5, 0], c: [0, 9, 0], d: [0, 0, 9], e: [0, 5, 5] });
    const own = rows.map(({ modelCosineRelative }) => modelCosineRelative!);
    expect(own[0]).toBeCloseTo(1, 6);
    expect(own[1]).toBeCloseTo(Math.SQRT1_2, 6);
    expect(own.slice(2)).toEqual([0, 0, 0]);
    const windows = rows.map(({ modelWindow }) => modelWindow!);
    expect(windows.indexOf(Math.max(...windows))).toBe(0);
    expect(windows.reduce((sum, value) => sum + value)).toBeCloseTo(0, 5);
  });

  it('knows a turn by what was said around it, whether that is a candidate or not', () => {
    const vectors: Record<string, [number, number, number]> = {
      a: [0, 9, 0],
      b: [9, 0, 0],
      c: [0, 9, 0],
      d: [0, 9, 0],
      e: [0, 0, 9],
    };
    const session = sessionOf(ids);
    const [first, , third, fourth] = rowsOf(vectors, session);
    // All three say the same themselves; the fourth is the farthest from what is asked for.
    expect(first!.modelCosineRelative).toBe(fourth!.modelCosineRelative);
    expect(first!.modelWindow).toBeGreaterThan(fourth!.modelWindow!);
    expect(third!.modelWindow).toBeGreaterThan(fourth!.modelWindow!);
    const [only, other] = rowsOf(vectors, [session[0]!, session[4]!]);
    expect(only!.modelWindow).toBeGreaterThan(other!.modelWindow!);
  });

  it('does not depend on what the vectors of all turns have in common', () => {
    const vectors = { a: [90, 3, 0], b: [80, 40, 0], c: [10, 70, 0], d: [0, 60, 60], e: [5, 5, 90] } as const;
    const shared = Object.entries(vectors).map(([id, [x, y, z]]) => [id, [x, y, z, 100]] as const);
    const order = (rows: ReturnType<typeof rowsOf>) =>
      rows.map(({ modelWindow }, c) => [modelWindow!, c] as const).sort((a, b) => b[0] - a[0]);
    const plain = rowsOf(vectors as never);
    const shifted = rowsOf(Object.fromEntries(shared) as never);
    expect(order(shifted).map(([, c]) => c)).toEqual(order(plain).map(([, c]) => c));
  });

  it('ranks a candidate without a vector as one of the middle', () => {
    const rows = rowsOf({ a: [2, 9, 0], b: [9, 2, 0] });
    expect(rows[2]).toEqual(rows[3]);
    for (const name of MODEL_FEATURES) {
      expect(rows[2]![name]).toBeGreaterThanOrEqual(rows[0]![name]!);
      expect(rows[2]![name]).toBeLessThanOrEqual(rows[1]![name]!);
    }
  });

  it.each([
    ['no candidate has a vector', {}],
    ['all are as near', Object.fromEntries(ids.map(id => [id, [7, 7, 0]]))],
  ])('is the same of all where %s', (_, vectors) => {
    const rows = rowsOf(vectors as never);
    for (const row of rows) {
      expect(row).toEqual(rows[0]);
      expect(Object.values(row).every(Number.isFinite)).toBe(true);
    }
  });
});
