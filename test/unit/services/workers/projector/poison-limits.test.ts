import { expect, it } from 'vitest';
import { type Counted, makePoisonCount } from '../../../../../services/workers/projector/poison-limits.ts';

const poisonOf = (org: string | undefined, n: number): Counted[] =>
  Array.from({ length: n }, () => ({ isPoison: true, org }));
const good = (n: number): Counted[] => Array.from({ length: n }, () => ({ isPoison: false, org: undefined }));

const countIn = (limits: { inARow: number; share: number }, organizations: number) => {
  let asked = 0;
  const { count } = makePoisonCount(limits, async () => {
    asked++;
    return organizations;
  });
  return {
    asked: () => asked,
    count: async (records: readonly Counted[]) => {
      const counted = await count('turns/0', records);
      if (counted.kind === 'stopped') return counted.limit;
      counted.keep();
      return 'within';
    },
  };
};

it('stops at one organization alone where there is no other', async () => {
  const { count, asked } = countIn({ inARow: 100, share: 0 }, 1);
  expect(await count(poisonOf('a', 99))).toBe('within');
  expect(asked()).toBe(0);
  expect(await count(poisonOf('a', 1))).toBe('in_a_row');
});

it('does not stop the others for what one of them sends, however much it is', async () => {
  for (const organizations of [2, 5, 1_000]) {
    const { count } = countIn({ inARow: 100, share: 20 }, organizations);
    for (let n = 0; n < 5; n++) expect(await count(poisonOf('a', 700))).toBe('within');
    expect(await count(good(10))).toBe('within');
    expect(await count(poisonOf('a', 1_000))).toBe('within');
  }
});

it('stops when several have poison in a row: a fault of ours', async () => {
  const two = countIn({ inARow: 100, share: 0 }, 2);
  expect(await two.count(poisonOf('a', 1_000))).toBe('within');
  expect(await two.count(poisonOf('b', 49))).toBe('within');
  expect(await two.count(poisonOf('b', 1))).toBe('in_a_row');

  const many = countIn({ inARow: 100, share: 0 }, 500);
  for (let org = 0; org < 9; org++) expect(await many.count(poisonOf(`org${org}`, 50))).toBe('within');
  expect(await many.count(poisonOf('org9', 9))).toBe('within');
  expect(await many.count(good(1))).toBe('within');
  for (let org = 0; org < 99; org++) expect(await many.count(poisonOf(`org${org}`, 1))).toBe('within');
  expect(await many.count(poisonOf('org99', 1))).toBe('in_a_row');
});

it('stops at a share that several have', async () => {
  const { count } = countIn({ inARow: 0, share: 20 }, 4);
  expect(await count([...good(700), ...poisonOf('a', 300)])).toBe('within');
  expect(await count([...good(300), ...poisonOf('b', 40), ...poisonOf('c', 40)])).toBe('within');
  expect(await count([...poisonOf('b', 30), ...poisonOf('c', 30), ...poisonOf('d', 50)])).toBe('share');
});

it('counts what names no organization in full', async () => {
  const { count } = countIn({ inARow: 100, share: 0 }, 1_000);
  expect(await count(poisonOf('a', 500))).toBe('within');
  expect(await count(poisonOf(undefined, 89))).toBe('within');
  expect(await count(poisonOf(undefined, 1))).toBe('in_a_row');
});
