import { expect, it } from 'vitest';
import { takeFairly } from '../../../../core/fairness/take-fairly.ts';

const item = (org: string, weight: number, name = `${org}${weight}`) => ({ org, weight, name });
const take = (most: number, ...waiting: ReturnType<typeof item>[]) => {
  const { taken, left } = takeFairly(waiting, most, one => one);
  return [taken.map(({ name }) => name).join(' '), left.map(({ name }) => name).join(' ')];
};

it('takes all that fits, in the order of arrival', () => {
  expect(take(10, item('b', 4), item('a', 3), item('b', 3))).toEqual(['b4 a3 b3', '']);
  expect(take(10)).toEqual(['', '']);
});

it('lets organizations take turns, so that none fills a batch while another waits', () => {
  const flood = Array.from({ length: 9 }, (_, i) => item('loud', 1, `loud${i}`));
  expect(take(4, ...flood, item('calm', 1, 'calm0'), item('calm', 1, 'calm1'))).toEqual([
    'loud0 loud1 calm0 calm1',
    'loud2 loud3 loud4 loud5 loud6 loud7 loud8',
  ]);
});

it('takes one that is larger than a batch alone, and keeps the order within an organization', () => {
  expect(take(4, item('a', 9), item('b', 1))).toEqual(['a9', 'b1']);
  expect(take(4, item('a', 3), item('a', 2), item('a', 1), item('b', 1))).toEqual(['a3 b1', 'a2 a1']);
});
