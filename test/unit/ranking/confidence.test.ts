import { describe, expect, it } from 'vitest';
import calibration from '../../../projections/ranking/calibration.json' with { type: 'json' };
import { CONFIDENCE_FEATURES, confidence } from '../../../projections/ranking/confidence.ts';
import { rankDeep } from '../../../projections/ranking/deep.ts';
import { rank } from '../../../projections/ranking/rank.ts';
import { scopeOf, smallTalk } from './scope.ts';

const scope = scopeOf([
  [...smallTalk(9), { role: 'Ann', text: 'I adopted a puppy named Rex last week.' }, ...smallTalk(9)],
  [...smallTalk(9), { role: 'Bob', text: 'I ran the marathon in under four hours.' }, ...smallTalk(9)],
]);
const of = (q: string, mode: 'active' | 'deep' = 'active') => {
  const { query, statistics } = scope.ask(q);
  const ranked = (mode === 'active' ? rank : rankDeep)(query, scope.candidates, statistics);
  return confidence(query, ranked, statistics, mode);
};

describe('confidence', () => {
  it('is a probability for every query', () => {
    for (const q of [
      'When did Ann adopt a puppy?',
      '?',
      'Ann',
      'quantum chromodynamics',
      '北京',
      'the and of',
      'x '.repeat(4000),
    ]) {
      for (const mode of ['active', 'deep'] as const) {
        expect(of(q, mode)).toBeGreaterThanOrEqual(0);
        expect(of(q, mode)).toBeLessThanOrEqual(1);
      }
    }
  });

  it('is 0 without hits', () => {
    const { query, statistics } = scope.ask('puppy');
    expect(confidence(query, [], statistics)).toBe(0);
  });

  it('is higher for what was said than for what was not, or was said by another', () => {
    const said = of('When did Ann adopt a puppy?');
    expect(said).toBeGreaterThan(of('When did Ann visit the volcano observatory?'));
    expect(said).toBeGreaterThan(of('When did Bob adopt a puppy?'));
  });

  it('has weights for its features, and says how well it was calibrated', () => {
    for (const mode of [calibration.active, calibration.deep]) {
      expect(Object.keys(mode.weights)).toEqual([...CONFIDENCE_FEATURES]);
      expect(mode.leaveOneOut.auroc).toBeGreaterThan(0.8);
      expect(mode.leaveOneOut.ece).toBeLessThan(0.04);
    }
  });
});
