import { describe, expect, it } from 'vitest';
import calibration from '../../../../projections/ranking/calibration.json' with { type: 'json' };
import {
  CONFIDENCE_FEATURES,
  CONFIDENCE_FREE,
  confidence,
} from '../../../../projections/ranking/confidence.ts';
import { rankDeep } from '../../../../projections/ranking/deep.ts';
import { prepare } from '../../../../projections/ranking/features.ts';
import { rank } from '../../../../projections/ranking/rank.ts';
import { scopeOf, smallTalk } from './scope.ts';

const scope = scopeOf([
  [...smallTalk(9), { role: 'Ann', text: 'I adopted a puppy named Rex last week.' }, ...smallTalk(9)],
  [...smallTalk(9), { role: 'Bob', text: 'I ran the marathon in under four hours.' }, ...smallTalk(9)],
]);
const MODES = { active: rank, deep: rankDeep };
const of = (q: string, mode: 'active' | 'deep' = 'active') => {
  const { query, statistics } = scope.ask(q);
  const ranked = MODES[mode](prepare(query, statistics, scope.candidates), scope.candidates);
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

  describe.each(['active', 'deep'] as const)('in a tiny scope, %s', mode => {
    const inScope = (said: string[], q: string) => {
      const tiny = scopeOf([said.map((text, i) => ({ role: i % 2 === 0 ? 'Ann' : 'Bob', text }))]);
      const { query, statistics } = tiny.ask(q);
      return confidence(
        query,
        MODES[mode](prepare(query, statistics, tiny.candidates), tiny.candidates),
        statistics,
        mode,
      );
    };
    const one = ['I adopted a puppy named Rex last week.'];
    const two = [...one, 'That sounds lovely!'];

    it.each([
      'quantum chromodynamics',
      'zxqv blorp',
      '北京',
      '48213',
      '?!',
      'When did the volcano observatory close?',
    ])('says little for a query that shares nothing with it: %s', q => {
      expect(inScope(one, q)).toBeLessThan(0.35);
      expect(inScope(two, q)).toBeLessThan(0.35);
    });

    it.each(['puppy', 'Rex', 'puppy Rex', 'When did Ann adopt a puppy?', one[0]!])(
      'says much for what was said: %s',
      q => {
        expect(inScope(one, q)).toBeGreaterThan(0.6);
        expect(inScope(two, q)).toBeGreaterThan(0.6);
      },
    );
  });

  it.each(['active', 'deep'] as const)('says little for nonsense, much for an exact word, %s', mode => {
    for (const q of ['zxqv blorp', 'zxqv', '北京', '48213 77215']) expect(of(q, mode)).toBeLessThan(0.35);
    for (const q of ['puppy', 'marathon', 'Rex', 'I adopted a puppy named Rex last week.'])
      expect(of(q, mode)).toBeGreaterThan(0.7);
  });

  it('has weights for its features, and says how well it was calibrated', () => {
    for (const chat of [calibration.people, calibration.assistant]) {
      for (const mode of [chat.active, chat.deep]) {
        expect(Object.keys(mode.weights)).toEqual([...CONFIDENCE_FEATURES]);
        for (const [name, weight] of Object.entries(mode.weights)) {
          if (!CONFIDENCE_FREE.has(name)) expect(weight).toBeGreaterThanOrEqual(0);
        }
      }
    }
    for (const { byData } of [calibration.people.active, calibration.people.deep]) {
      const { auroc, brier, ece } = byData['locomo-dev.json, asked'];
      expect(brier).toBeLessThan(0.14);
      expect(auroc).toBeGreaterThan(0.82);
      expect(ece).toBeLessThan(0.05);
    }
    for (const { leaveOneOut } of [calibration.assistant.active, calibration.assistant.deep])
      expect(leaveOneOut.ece).toBeLessThan(0.06);
  });
});
