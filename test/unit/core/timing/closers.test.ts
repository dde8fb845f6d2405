import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeClosers } from '../../../../core/timing/closers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<never>(() => {});

it('closes in reverse, each when the one before it has ended', async () => {
  const closers = makeClosers();
  const calls: string[] = [];
  const slowly = (name: string) => async () => {
    await Promise.resolve();
    calls.push(name);
  };
  closers.add(slowly('first'), slowly('second'));
  closers.add(slowly('third'));
  await closers.close();
  expect(calls).toEqual(['third', 'second', 'first']);
  expect(closers.signal.aborted).toBe(true);
});

it('waits for none beyond the instant, and begins all of them', async () => {
  const closers = makeClosers();
  const called: string[] = [];
  for (const name of ['log', 'keys', 'projector']) {
    closers.add(() => {
      called.push(name);
      return name === 'log' ? undefined : never;
    });
  }
  let ended = false;
  const closing = closers.close(performance.now() + 1_000).then(() => {
    ended = true;
  });
  await vi.advanceTimersByTimeAsync(999);
  expect([called, ended]).toEqual([['projector'], false]);
  await vi.advanceTimersByTimeAsync(500);
  await closing;
  expect(called).toEqual(['projector', 'keys', 'log']);
});

it('passes on what one throws, also where it is late', async () => {
  for (const until of [undefined, 0]) {
    const closers = makeClosers();
    closers.add(() => Promise.reject(new Error('a fault')));
    await expect(closers.close(until)).rejects.toThrow('a fault');
  }
});
