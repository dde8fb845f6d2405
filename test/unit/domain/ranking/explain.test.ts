import { describe, expect, it } from 'vitest';
import { ACTIVE_PLACES, rankDeep } from '../../../../domain/ranking/deep.ts';
import { explain } from '../../../../domain/ranking/explain.ts';
import { prepare } from '../../../../domain/ranking/features/features.ts';
import { rank } from '../../../../domain/ranking/rank.ts';
import { type Said, scopeOf, smallTalk } from './scope.ts';

const about: Said[] = [
  { role: 'Ann', text: 'I adopted a puppy named Rex last week.', at: '2023-05-08T10:00:00Z' },
  { role: 'Bob', text: 'I ran the marathon in under four hours.', at: '2023-07-02T10:00:00Z' },
];
const scope = scopeOf(about.map(one => [...smallTalk(12), one, ...smallTalk(12)]));
const { query, statistics } = scope.ask('When did Ann adopt a puppy?');
const prepared = prepare(query, statistics, scope.candidates);

describe.each([
  ['active', rank],
  ['deep', rankDeep],
] as const)('the explanation of a score, %s', (_, ranking) => {
  const ranked = ranking(prepared, scope.candidates);

  it('adds up to the score of every candidate', () => {
    for (const one of ranked) {
      const { base, parts, factor } = explain(one);
      const logOdds = parts.reduce((sum, part) => sum + part.logOdds, base);
      expect(factor / (1 + Math.exp(-logOdds))).toBeCloseTo(one.score, 9);
    }
  });

  it('names what the best hit owes its place to, the weightiest first', () => {
    const { parts } = explain(ranked[0]!);
    const weights = parts.map(({ logOdds }) => Math.abs(logOdds));
    expect(weights).toEqual([...weights].sort((a, b) => b - a));
    expect(weights.every(weight => weight > 0)).toBe(true);
    const speaker = parts.find(({ feature }) => feature === 'speaker');
    expect(speaker).toMatchObject({ aspect: 'speaker' });
    expect(speaker!.logOdds).toBeGreaterThan(0);
  });
});

it('tells the second pass apart', () => {
  const features = (ranking: typeof rank) =>
    explain(ranking(prepared, scope.candidates)[ACTIVE_PLACES]!).parts.map(({ feature }) => feature);
  expect(features(rank)).not.toContain('windowLikeQueryAndHits');
  expect(features(rankDeep)).toContain('windowLikeQueryAndHits');
});
