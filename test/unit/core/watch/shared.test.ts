import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeReadiness } from '../../../../core/watch/readiness.ts';
import { STATE_MS, sharedFor } from '../../../../core/watch/shared.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

/** Computes 1, 2, 3 …, each once its `let` is called. */
const counted = (ms: number) => {
  const ends: { resolve: (n: number) => void; reject: (error: Error) => void }[] = [];
  const ask = sharedFor(
    ms,
    () => new Promise<number>((resolve, reject) => void ends.push({ resolve, reject })),
  );
  return { ask, ends };
};

test('those who ask while a value is computed get that one, however long it takes', async () => {
  const { ask, ends } = counted(1);
  const first = ask();
  pass(5);
  const second = ask();
  expect(ends).toHaveLength(1);
  ends[0]!.resolve(1);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});

test('a value is kept for its time from when its computation began, and no longer', async () => {
  const { ask, ends } = counted(40);
  const first = ask();
  ends[0]!.resolve(1);
  expect(await first).toBe(1);
  pass(39);
  expect(await ask()).toBe(1);
  pass(1);
  const next = ask();
  expect(ends).toHaveLength(2);
  ends[1]!.resolve(2);
  expect(await next).toBe(2);
});

test('a failure reaches those who wait, and the next one asks again', async () => {
  const { ask, ends } = counted(10_000);
  const both = [ask(), ask()];
  ends[0]!.reject(new Error('no'));
  for (const one of both) await expect(one).rejects.toThrow('no');
  const next = ask();
  ends[1]!.resolve(2);
  expect(await next).toBe(2);
});

test('a hundred questions about readiness ask the engines once', async () => {
  let asked = 0;
  const ready = makeReadiness({
    probes: { log: async () => `answer ${++asked}` },
    needed: ['log'],
    isStopping: () => false,
  });
  const answers = await Promise.all(Array.from({ length: 100 }, ready));
  expect(asked).toBe(1);
  expect(new Set(answers.map(({ engines }) => engines.log!.detail))).toEqual(new Set(['answer 1']));
  expect(STATE_MS).toBeLessThanOrEqual(1_000);
});
