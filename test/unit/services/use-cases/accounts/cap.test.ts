import { expect, test } from 'vitest';
import { makeCap } from '../../../../../services/use-cases/accounts/cap.ts';
import { pause } from '../../../../support/wait.ts';

const world = (most: number) => {
  const withinCap = makeCap();
  let there = 0;
  const add = (name = 'a', fails = false) =>
    withinCap(
      {
        name,
        most,
        count: async () => {
          await pause(1);
          return there;
        },
        full: () => new Error('full'),
      },
      async () => {
        await pause(1);
        if (fails) throw new Error('failed');
        return ++there;
      },
    );
  return { add };
};

test('of racing calls as many are let through as there is room for', async () => {
  const { add } = world(5);
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => add()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(add()).rejects.toThrow('full');
});

test('one that fails leaves its place to the next, and names are apart', async () => {
  const { add } = world(1);
  await expect(add('a', true)).rejects.toThrow('failed');
  const both = await Promise.allSettled([add('a'), add('b')]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
});

test('0 is no cap', async () => {
  const { add } = world(0);
  expect(await Promise.all(Array.from({ length: 20 }, () => add()))).toHaveLength(20);
});
