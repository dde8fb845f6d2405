import { setImmediate as round } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makeLargeSteps } from '../../../../core/fairness/large-steps.ts';

// Time passes when the test says so, however busy the machine is; rounds of the event loop are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

const start = () => {
  const rests: number[] = [];
  const { asShortCall, nextLargeStep } = makeLargeSteps(async ms => void rests.push(ms));
  const call = async (
    steps: number,
    { stepMs = 0, org = 'acme', signal = undefined as AbortSignal | undefined } = {},
  ) => {
    for (let n = 0; n < steps; n++) {
      await nextLargeStep(org, signal);
      pass(stepMs);
    }
  };
  return { asShortCall, call, rests };
};

test('a round of the event loop is between two steps, whoever takes them', async () => {
  const { call } = start();
  let rounds = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; rounds++) await round();
  })();
  await Promise.all([call(5), call(5), call(5)]);
  isOver = true;
  await counting;
  expect(rounds).toBeGreaterThanOrEqual(14);
});

test('a step is followed by a rest as long as it was while a short call is at work, and only then', async () => {
  const { asShortCall, call, rests } = start();
  await call(20, { stepMs: 2 });
  expect(rests).toEqual([]);
  let end = (): void => {};
  const short = asShortCall(new Promise<void>(resolve => (end = resolve)));
  await call(20, { stepMs: 2 });
  expect(rests).toEqual(Array(20).fill(2));
  await call(2, { stepMs: 12 });
  expect(rests.slice(-1)).toEqual([8]);
  end();
  await short;
  await expect(asShortCall(Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  const before = rests.length;
  await call(20, { stepMs: 2 });
  expect(rests).toHaveLength(before);
});

test('after a while without a step none rests', async () => {
  const { asShortCall, call, rests } = start();
  await call(1);
  pass(30);
  await asShortCall(call(1));
  expect(rests).toEqual([]);
});

test('organizations take turns, however many steps of another wait', async () => {
  const { call } = start();
  let isOver = false;
  const flood = Promise.all(Array.from({ length: 200 }, () => call(2, { org: 'flood' }))).then(() => {
    isOver = true;
  });
  await call(5, { org: 'good' });
  expect(isOver).toBe(false);
  await flood;
});

test('a call that nobody waits for leaves before its turn', async () => {
  const { call } = start();
  const gone = new AbortController();
  let isOver = false;
  const others = call(50).then(() => {
    isOver = true;
  });
  const mine = call(1, { signal: gone.signal });
  gone.abort(new Error('gone'));
  await expect(mine).rejects.toThrow('gone');
  expect(isOver).toBe(false);
  await others;
  await expect(call(1, { signal: gone.signal })).rejects.toThrow('gone');
});
