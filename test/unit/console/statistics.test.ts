import { describe, expect, test } from 'vitest';
import type { Stats } from '../../../console/src/api/types.ts';
import {
  barsOf,
  confidenceBars,
  figureOf,
  highest,
  latencyBars,
  middleOf,
} from '../../../console/src/pages/overview/memory/in-words.ts';

const day = (day: string, of: Partial<Stats['days'][number]>) => ({
  ...{ day, turns: 0, users: 0, sessions: 0, facts: 0, recalls: 0 },
  ...of,
});
const STATS: Stats = {
  days: [day('2026-03-07', { turns: 3, users: 2 }), day('2026-03-08', { turns: 120, users: 4 })],
  latency_ms: [
    { up_to: 5, recalls: 1 },
    { up_to: 2_000, recalls: 2 },
    { up_to: null, recalls: 0 },
  ],
  confidence: [
    { from: 0, to: 0.5, recalls: 1 },
    { from: 0.5, to: 1, recalls: 1 },
  ],
};

describe('statistics', () => {
  test('are sums, but of users the most of one day, since one may come on several', () => {
    expect(figureOf(STATS, 'turns')).toBe(123);
    expect(figureOf(STATS, 'users')).toBe(4);
    expect(figureOf({ ...STATS, days: [] }, 'users')).toBe(0);
  });

  test('name their bins in words', () => {
    expect(latencyBars(STATS).map(({ name }) => name)).toEqual(['up to 5 ms', 'up to 2 s', 'more than 2 s']);
    expect(confidenceBars(STATS).map(({ name }) => name)).toEqual(['0.0 to 0.5', '0.5 to 1.0']);
  });

  test('name the bin of the middle recall, and none without recalls', () => {
    expect(middleOf(latencyBars(STATS))).toBe('up to 2 s');
    expect(middleOf(confidenceBars(STATS))).toBe('0.0 to 0.5');
    expect(middleOf([{ name: 'x', value: 0 }])).toBeUndefined();
  });

  test('are told to those who see no chart', () => {
    expect(highest('Turns stored', barsOf(STATS, 'turns'))).toBe('Turns stored. Most: 120, 8 March 2026.');
    expect(highest('Recalls', barsOf(STATS, 'recalls'))).toBe('Recalls: none.');
  });
});
