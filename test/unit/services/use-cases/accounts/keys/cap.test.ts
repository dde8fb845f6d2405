import { expect, test } from 'vitest';
import { makeCap } from '../../../../../../services/use-cases/accounts/keys/cap.ts';
import { pause } from '../../../../../support/wait.ts';

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

test('a cap lets as many of racing calls through as there is room for', async () => {
  const { add } = world(5);
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => add()));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  await expect(add()).rejects.toThrow('full');
});

test('a call that ended while another counted takes no place twice', async () => {
  const withinCap = makeCap();
  let there = 0;
  const add = (countMs: number) =>
    withinCap(
      {
        name: 'a',
        most: 2,
        count: async () => {
          await pause(countMs);
          return there;
        },
        full: () => new Error('full'),
      },
      async () => ++there,
    );
  const outcomes = await Promise.allSettled([add(1), add(30), add(60)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
});

test('one that fails while another counts leaves its place to that one', async () => {
  const withinCap = makeCap();
  const add = (outcome: Promise<string>) =>
    withinCap({ name: 'a', most: 1, count: async () => 0, full: () => new Error('full') }, () => outcome);
  const failing = add(pause(10).then(() => Promise.reject(new Error('failed'))));
  const next = add(Promise.resolve('added'));
  await expect(failing).rejects.toThrow('failed');
  expect(await next).toBe('added');
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
