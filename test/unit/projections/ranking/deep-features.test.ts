import { describe, expect, it } from 'vitest';
import { DEEP_FEATURES, deepFeatureRows } from '../../../../projections/ranking/deep-features.ts';
import { prepare } from '../../../../projections/ranking/features.ts';
import type { Candidate } from '../../../../projections/recall/document.ts';
import { type Said, scopeOf, smallTalk } from './scope.ts';

const said = (role: string, text: string): Said => ({ role, text });
const guitar = said('Ann', 'I play the guitar in a band.');
const violin = said('Ann', 'My old violin needs new strings.');
const bread = said('Ann', 'We baked a loaf of bread at home.');
const lake = said('Bob', 'We swam in the lake all summer.');
const praise = said('Bob', 'That is great.');
const scope = scopeOf([
  [...smallTalk(4), guitar, ...smallTalk(4)],
  [...smallTalk(4), violin, praise, ...smallTalk(4)],
  [...smallTalk(4), bread, praise, ...smallTalk(4)],
  [lake],
]);
const { candidates } = scope;
const at = (one: Said, nth = 0) => {
  const { document } = scopeOf([[one]]).candidates[0]!;
  return candidates.filter(({ document: { stems } }) => stems.join() === document.stems.join())[nth]!.key;
};

/** One feature of every candidate, by its key; the first pass found `best` and nothing else. */
const feature = (
  name: (typeof DEEP_FEATURES)[number],
  best: number,
  of: readonly Candidate[] = candidates,
) => {
  const { query, statistics } = scope.ask('Which instruments are there?');
  const prepared = prepare(query, statistics, of);
  const sums = Float64Array.from(of, ({ key }) => (key === best ? 0 : -20));
  const rows = deepFeatureRows(prepared, of, sums);
  const values = new Map(
    of.map(({ key }, c) => [key, rows[c * DEEP_FEATURES.length + DEEP_FEATURES.indexOf(name)]!]),
  );
  return (key: number) => values.get(key)!;
};

describe('deep features', () => {
  it('liken a turn to the best hits: nothing is more like one than itself', () => {
    const like = feature('likeBestHit', at(guitar));
    expect(like(at(guitar))).toBeCloseTo(1);
    expect(like(at(violin))).toBeGreaterThan(like(at(bread)) + 0.1);
    for (const { key } of candidates) expect(like(key)).toBeLessThanOrEqual(like(at(guitar)));
  });

  it('liken a turn to what was asked and found together', () => {
    const [found, other] = [at(guitar), at(bread)].map(best => feature('likeQueryAndHits', best));
    expect(found!(at(violin))).toBeGreaterThan(found!(at(bread)));
    expect(other!(at(bread))).toBeGreaterThan(found!(at(bread)) + 0.2);
  });

  it('liken what stands around a turn to what was asked and found together', () => {
    const own = feature('likeQueryAndHits', at(guitar));
    const window = feature('windowLikeQueryAndHits', at(guitar));
    expect(window(at(guitar) + 1)).toBeGreaterThan(own(at(guitar) + 1) + 0.1);
    expect(window(at(lake))).toBeCloseTo(own(at(lake)));
  });

  it('know how much was found in the two turns that follow', () => {
    const next = feature('strengthNext', at(guitar));
    for (const offset of [-1, -2]) expect(next(at(guitar) + offset)).toBeCloseTo(1, 3);
    for (const offset of [-3, 0, 1, 2]) expect(next(at(guitar) + offset)).toBeLessThan(0.1);
    expect(next(at(lake))).toBe(0);
  });

  it.each([0, 8])('tell turns of one instant apart, with %s others', others => {
    const instant = '2023-05-01T10:00:00Z';
    const piano = said('Ann', 'I play the piano in a band.');
    const all = [violin, piano, guitar, bread, ...smallTalk(others)];
    const told = scopeOf([all.map(one => ({ ...one, at: instant }))]).candidates;
    const next = feature('strengthNext', 2, told);
    expect([0, 1, 2, 3].map(key => Math.round(next(key)))).toEqual([1, 1, 0, 0]);
  });

  it('know how much was found in the other turns of the session', () => {
    const session = feature('strengthSession', at(guitar));
    expect(session(at(guitar) + 1)).toBeGreaterThan(Math.log1p(1));
    expect(session(at(guitar))).toBeLessThan(0.1);
    expect(session(at(violin))).toBeLessThan(0.1);
    expect(session(at(lake))).toBe(0);
  });

  it('are the same whatever the order of the candidates', () => {
    for (const name of DEEP_FEATURES) {
      const forwards = feature(name, at(violin));
      const backwards = feature(name, at(violin), [...candidates].reverse());
      for (const { key } of candidates) expect(backwards(key)).toBe(forwards(key));
    }
  });
});
