import { describe, expect, test } from 'vitest';
import type { Explanation } from '../../../console/src/api/types.ts';
import { addsUp, byAspect, featureName, signed } from '../../../console/src/words/explanation.ts';
import { DEEP_FEATURES } from '../../../domain/ranking/features/deep-features.ts';
import { FEATURES } from '../../../domain/ranking/features/feature-names.ts';

const explanation: Explanation = {
  base: -9.4951,
  parts: [
    { feature: 'sessionMaxSim', aspect: 'conversation', log_odds: 2.1 },
    { feature: 'maxSim', aspect: 'meaning', log_odds: 1.75 },
    { feature: 'exactCoverage', aspect: 'words', log_odds: 1.6 },
    { feature: 'assistant', aspect: 'speaker', log_odds: -1.4734 },
    { feature: 'session', aspect: 'conversation', log_odds: 1.1 },
    { feature: 'maxSimPrevious', aspect: 'conversation', log_odds: -0.3 },
    { feature: 'bm25', aspect: 'words', log_odds: 0.004 },
  ],
  factor: 1,
};

const scoreOf = ({ base, factor }: Explanation, logOdds: number): number =>
  factor / (1 + Math.exp(-(base + logOdds)));

describe('what made a score', () => {
  test('by aspect adds up to the score', () => {
    const sums = byAspect(explanation);
    const byParts = explanation.parts.reduce((sum, { log_odds }) => sum + log_odds, 0);
    const byAspects = sums.reduce((sum, { logOdds }) => sum + logOdds, 0);
    expect(scoreOf(explanation, byAspects)).toBeCloseTo(scoreOf(explanation, byParts), 12);
  });

  test('is told with the weightiest aspect first, whether it adds or takes', () => {
    const sums = byAspect({ ...explanation, parts: explanation.parts.toReversed() });
    expect(sums.map(({ aspect }) => aspect)).toEqual(['conversation', 'meaning', 'words', 'speaker']);
    expect(sums[0]!.logOdds).toBeCloseTo(2.9, 12);
    expect(sums[0]!.features.map(({ feature }) => feature)).toEqual([
      'sessionMaxSim',
      'session',
      'maxSimPrevious',
    ]);
  });

  test('names no feature that two digits tell as nothing, and counts it', () => {
    const words = byAspect(explanation).find(({ aspect }) => aspect === 'words')!;
    expect(words.features).toEqual([{ feature: 'exactCoverage', logOdds: 1.6 }]);
    expect(words.logOdds).toBeCloseTo(1.604, 12);
  });

  test('is nothing where no feature says anything', () => {
    const alone = { ...explanation, parts: [] };
    expect(byAspect(alone)).toEqual([]);
    expect(addsUp(alone)).toBe(
      'Every text starts at −9.50; 0.00 from the parts makes −9.50, a probability of < 0.001: the score.',
    );
  });

  test('has a sentence that ends at the score', () => {
    expect(addsUp({ ...explanation, base: -5 })).toBe(
      'Every text starts at −5.00; +4.78 from the parts makes −0.22, a probability of 0.445: the score.',
    );
    expect(addsUp({ ...explanation, base: -5, factor: 0.25 })).toMatch(
      /a probability of 0\.445\. It has the place of a turn or one behind the turns, so it is multiplied by 0\.25: 0\.111\.$/,
    );
  });

  test('has words for every feature of the ranking', () => {
    const names = [...FEATURES, ...DEEP_FEATURES];
    expect(names.filter(name => featureName(name) === name)).toEqual([]);
    expect(featureName('madeTomorrow')).toBe('madeTomorrow');
  });
});

test('a signed number has no sign where it is none', () => {
  expect([1.2, -0.35, 0.001, -0.001, 0].map(signed)).toEqual(['+1.20', '−0.35', '0.00', '0.00', '0.00']);
});
