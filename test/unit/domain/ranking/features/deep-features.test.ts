import { describe, expect, it } from 'vitest';
import { DEEP_FEATURES, deepFeatureRows } from '../../../../../domain/ranking/features/deep-features.ts';
import { prepare } from '../../../../../domain/ranking/features/features.ts';
import type { Candidate } from '../../../../../domain/search/document.ts';
import { type Said, scopeOf, smallTalk } from '../scope.ts';

const said = (role: string, text: string): Said => ({ role, text });
const guitar = said('Ann', 'I play the guitar in a band.');
const violin = said('Ann', 'My old violin needs new strings.');
const bread = said('Ann', 'We baked a loaf of bread at home.');
const lake = said('Bob', 'We swam in the lake all summer.');
const praise = said('Bob', 'That is great.');
const scope = scopeOf([
  [...smallTalk(12), guitar, ...smallTalk(12)],
  [...smallTalk(12), violin, praise, ...smallTalk(12)],
  [...smallTalk(12), bread, praise, ...smallTalk(12)],
  [lake],
]);
const { candidates } = scope;
const at = (one: Said, nth = 0) => {
  const { document } = scopeOf([[one]]).candidates[0]!;
  return candidates.filter(({ document: { stems } }) => stems.join() === document.stems.join())[nth]!.key;
};

/** One feature of every candidate, by its key; the first pass found these alike, and nothing else. */
const feature = (
  name: (typeof DEEP_FEATURES)[number],
  found: readonly number[],
  of: Pick<typeof scope, 'candidates' | 'ask'> = scope,
) => {
  const { query, statistics } = of.ask('Which instruments are there?');
  const prepared = prepare(query, statistics, of.candidates);
  const sums = Float64Array.from(of.candidates, ({ key }) => (found.includes(key) ? 0 : -20));
  const rows = deepFeatureRows(prepared, of.candidates, sums);
  const values = new Map(
    of.candidates.map(({ key }, c) => [key, rows[c * DEEP_FEATURES.length + DEEP_FEATURES.indexOf(name)]!]),
  );
  return (key: number) => values.get(key)!;
};

/** Ten hits, no more and no less, so that none of the other turns is one. */
const ten = (from: number, step = 1) => Array.from({ length: 10 }, (_, i) => from + i * step);

describe('deep features', () => {
  it('liken a turn and its window to what was asked and found together', () => {
    const [found, other] = [at(guitar), at(bread)].map(hit => feature('windowLikeQueryAndHits', [hit]));
    expect(found!(at(violin))).toBeGreaterThan(found!(at(bread)));
    expect(other!(at(bread))).toBeGreaterThan(found!(at(bread)) + 0.1);
    expect(found!(at(guitar) + 1)).toBeGreaterThan(found!(at(guitar) + 4) + 0.03);
  });

  const meeting = scopeOf([smallTalk(60)]);

  it('know which turns are next to a hit', () => {
    const near = feature('nearHit', ten(2, 6), meeting);
    const most = Math.log(60 / 5) * Math.log(60 / 14);
    for (const hit of ten(2, 6)) {
      for (const offset of [-1, 1]) expect(near(hit + offset)).toBeCloseTo(most);
      for (const offset of [-2, 2]) expect(near(hit + offset)).toBeCloseTo(most / 2);
      for (const offset of [0, 3]) expect(near(hit + offset)).toBe(0);
    }
  });

  it('know that in a short session every turn is next to a hit', () => {
    const short = scopeOf([smallTalk(4), smallTalk(40), smallTalk(40)]);
    const near = feature('nearHit', [1, ...ten(50).slice(1)], short);
    for (const key of [0, 2, 3]) expect(near(key)).toBe(0);
    expect(near(50)).toBeGreaterThan(1);
  });

  it.each([0, 8])('tell turns of one instant apart, with %s others', others => {
    const instant = '2023-05-01T10:00:00Z';
    const piano = said('Ann', 'I play the piano in a band.');
    const chat = [violin, piano, guitar, bread, ...smallTalk(others)].map(one => ({ ...one, at: instant }));
    const near = feature('nearHit', [2, ...ten(80).slice(1)], scopeOf([chat, smallTalk(200)]));
    expect([0, 1, 2, 3].map(key => near(key) > 0)).toEqual([true, true, false, true]);
  });

  it('say nothing where sessions are short, and more the longer they are', () => {
    const sessionsOf = (turns: number) => scopeOf(Array.from({ length: 4 }, () => smallTalk(turns)));
    const [short, long, longer, meeting, days] = [14, 28, 56, 100, 120].map(turns =>
      DEEP_FEATURES.map(name => feature(name, ten(0), sessionsOf(turns))(10)),
    );
    expect(short).toEqual([0, 0]);
    for (const i of DEEP_FEATURES.keys()) {
      expect(Math.abs(long![i]!)).toBeGreaterThan(0);
      expect(longer![i]! / long![i]!).toBeGreaterThan(1.5);
      // The session itself is a part of the nearness of turns.
      const part = DEEP_FEATURES[i] === 'nearHit' ? Math.log(120 / 5) / Math.log(100 / 5) : 1;
      expect(days![i]! / meeting![i]!).toBeCloseTo(part, 1);
    }
  });

  it('follow turns, and no fact beside its turn', () => {
    const facts = ten(5, 6).map(
      (key): Candidate => ({ ...meeting.candidates[key]!, key: key + 100, kind: 'observation' }),
    );
    const beside = ten(3, 6).map(
      (key): Candidate => ({ ...meeting.candidates[key]!, key: key + 200, kind: 'observation' }),
    );
    const candidates = [...facts, ...beside, ...meeting.candidates];
    const near = feature('nearHit', [...ten(2, 6), ...ten(105, 6)], { ...meeting, candidates });
    for (const { key } of beside) {
      expect(near(key)).toBe(0);
      expect(near(key - 200)).toBeGreaterThan(0);
    }
    for (const { key } of facts) expect(near(key)).toBe(0);
    expect(near(6)).toBeCloseTo(near(1) / 2);
  });

  it('are the same whatever the order of the candidates', () => {
    for (const name of DEEP_FEATURES) {
      const forwards = feature(name, [at(violin)]);
      const backwards = feature(name, [at(violin)], { ...scope, candidates: [...candidates].reverse() });
      for (const { key } of candidates) expect(backwards(key)).toBe(forwards(key));
    }
  });
});
