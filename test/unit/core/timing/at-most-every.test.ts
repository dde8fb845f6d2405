import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { atMostEvery } from '../../../../core/timing/at-most-every.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('does again what was asked for while it was being done, a time after its end', async () => {
  const begun: number[] = [];
  const soon = atMostEvery({ afterMs: 1_000, everyMs: 60_000 }, async () => {
    begun.push(Date.now());
    await new Promise<void>(resolve => void setTimeout(resolve, 30_000));
  });
  soon('a');
  await vi.advanceTimersByTimeAsync(10_000);
  for (let n = 0; n < 3; n++) soon('a');
  await vi.advanceTimersByTimeAsync(300_000);
  expect(begun).toHaveLength(2);
  expect(begun[1]! - begun[0]!).toBe(90_000);
});

it('does what many ask for once, soon, and again only after its time', async () => {
  const done: string[] = [];
  const soon = atMostEvery({ afterMs: 1_000, everyMs: 60_000 }, async name => void done.push(name));
  for (let n = 0; n < 5; n++) soon('a');
  soon('b');
  expect(done).toEqual([]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toEqual(['a', 'b']);
  for (let n = 0; n < 5; n++) soon('a');
  await vi.advanceTimersByTimeAsync(59_000);
  expect(done).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(done).toEqual(['a', 'b', 'a']);
  // Nobody asked any more.
  await vi.advanceTimersByTimeAsync(200_000);
  expect(done).toHaveLength(3);
  soon('a');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(done).toHaveLength(4);
});
