import { setTimeout as pause, setImmediate as round } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { asShortCall, nextLargeStep } from '../../../../services/core/large-steps.ts';

/** Counts the rounds of the event loop until it is ended. */
const countRounds = () => {
  let rounds = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; rounds++) await round();
  })();
  return async (): Promise<number> => {
    isOver = true;
    await counting;
    return rounds;
  };
};

const call = async (steps: number): Promise<void> => {
  for (let n = 0; n < steps; n++) await nextLargeStep();
};

const milliseconds = async (work: Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work;
  return performance.now() - began;
};

test('a round of the event loop is between two steps, whoever takes them', async () => {
  const end = countRounds();
  await Promise.all([call(5), call(5), call(5)]);
  expect(await end()).toBeGreaterThanOrEqual(14);
});

test('steps rest while a short call is at work, and only then', async () => {
  expect(await milliseconds(call(40))).toBeLessThan(200);
  const short = pause(60);
  const took = await milliseconds(Promise.all([asShortCall(short), call(10)]));
  expect(took).toBeGreaterThanOrEqual(55);
  const beside = asShortCall(pause(400));
  expect(await milliseconds(call(10))).toBeGreaterThanOrEqual(10 * 7);
  await beside;
});

test('a short call that fails is over', async () => {
  await expect(asShortCall(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(await milliseconds(call(40))).toBeLessThan(200);
});
