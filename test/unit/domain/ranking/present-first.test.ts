import { describe, expect, it } from 'vitest';
import { asksForPresent, lately, REORDERED } from '../../../../domain/ranking/lately.ts';
import type { Ranked } from '../../../../domain/ranking/rank.ts';

const DAY = 86_400_000;
const ranked = (key: number, score: number, day: number, kind: 'turn' | 'observation' = 'turn') =>
  ({ candidate: { key, id: `${key}`, kind, timestamp: day * DAY }, score }) as unknown as Ranked;
const keysOf = (list: readonly Ranked[]) => list.map(({ candidate }) => candidate.key);
const nothing = () => undefined;

describe('what a question asks for', () => {
  it.each([
    ['Where does Ilse live these days?', true, 'now'],
    ['Where does Ilse live?', true, 'attribute'],
    ['Which horse does Xanthe ride in lessons?', false, 'state'],
    ['When is Kalle moving out?', false, 'state'],
    ['How much do I pay for parking?', false, 'state'],
  ])('%s', (question, asksState, expected) => {
    expect(asksForPresent(question, asksState)).toBe(expected);
  });

  it.each([
    ['Where did Ilse live?', true],
    ['When was the wedding?', false],
    ['What has Ilse cooked?', false],
    ['What are the names of her dogs?', false],
    ['Which books does Ilse own?', false],
    ['Why does Ilse like the sea?', false],
    ['How does Ilse describe the island?', false],
    ['Which course does Ilse take in August 2023?', false],
  ])('not the present: %s', (question, asksState) => {
    expect(asksForPresent(question, asksState)).toBeUndefined();
  });
});

describe('the first turns of an answer on the present', () => {
  it('has the later one first, of two that fit alike', () => {
    expect(keysOf(lately([ranked(1, 0.5, 1), ranked(2, 0.45, 9)], 'state', nothing))).toEqual([2, 1]);
  });

  it('has one first that fits much better, whenever it was said', () => {
    expect(keysOf(lately([ranked(1, 0.9, 1), ranked(2, 0.1, 9)], 'state', nothing))).toEqual([1, 2]);
  });

  it('counts more what tells of a change', () => {
    const list = [ranked(1, 0.5, 1), ranked(2, 0.4, 8), ranked(3, 0.4, 9)];
    expect(keysOf(lately(list, 'attribute', nothing))).toEqual([3, 2, 1]);
    const texts = new Map([[2, 'day one at Oderhaus']]);
    expect(keysOf(lately(list, 'attribute', key => texts.get(key)))).toEqual([2, 3, 1]);
  });

  it('keeps the scores at their places, and says by how much one is another than its words give', () => {
    const [first, second] = lately([ranked(1, 0.5, 1), ranked(2, 0.4, 9)], 'now', nothing);
    expect([first!.score, second!.score]).toEqual([0.5, 0.4]);
    expect([first!.factor, second!.factor]).toEqual([1.25, 0.8]);
  });

  it('moves neither turns behind the first ones nor what is no turn', () => {
    const list = Array.from({ length: 8 }, (_, n) =>
      ranked(n, 0.5 - n / 100, n, n === 1 ? 'observation' : 'turn'),
    );
    const keys = keysOf(lately(list, 'now', nothing));
    expect(keys[1]).toBe(1);
    expect(keys.slice(REORDERED + 1)).toEqual([6, 7]);
    expect(keys[0]).toBe(5);
  });
});
