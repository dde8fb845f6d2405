import { describe, expect, it } from 'vitest';
import { placesToRead, presentFirst, READ } from '../../../../domain/ranking/present-first.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';

const ranked = (key: number, score: number, kind: 'turn' | 'observation' = 'turn') =>
  ({ candidate: { key, id: `${key}`, kind }, score }) as unknown as Ranked;
const keysOf = (list: readonly Ranked[]) => list.map(({ candidate }) => candidate.key);

describe('the turns among which the one is looked for that holds', () => {
  it('are the first turns and no observations', () => {
    const list = Array.from({ length: 12 }, (_, n) =>
      ranked(n, 0.5 - n / 100, n === 1 ? 'observation' : 'turn'),
    );
    expect(placesToRead(list)).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
    expect(placesToRead(list)).toHaveLength(READ);
  });

  it('are fewer where the first one fits much better than the fifth', () => {
    const list = [0.8, 0.6, 0.5, 0.4, 0.3, 0.3, 0.3].map((score, n) => ranked(n, score));
    expect(placesToRead(list)).toEqual([0, 1, 2, 3, 4]);
  });

  it('are none that is far behind the first: it speaks of something else', () => {
    expect(placesToRead([0.48, 0.2, 0.004].map((score, n) => ranked(n, score)))).toEqual([0, 1]);
    expect(placesToRead([])).toEqual([]);
  });
});

describe('presentFirst', () => {
  const list = [ranked(1, 0.5), ranked(2, 0.4), ranked(3, 0.2, 'observation'), ranked(4, 0.1)];

  it('moves one turn before the others, which keep their order, and no observation', () => {
    expect(keysOf(presentFirst(list, [0, 1, 3], 3))).toEqual([4, 1, 3, 2]);
    expect(keysOf(presentFirst(list, [0, 1, 3], 0))).toEqual([1, 2, 3, 4]);
  });

  it('keeps the scores at their places, and says by how much one is another than its words give', () => {
    const [first, second] = presentFirst(list, [0, 1, 3], 1);
    expect([first!.score, second!.score]).toEqual([0.5, 0.4]);
    expect([first!.factor, second!.factor]).toEqual([1.25, 0.8]);
  });
});
