import { afterEach, describe, expect, it, vi } from 'vitest';
import { sharedTable } from '../../../../../../core/threads/shared-table.ts';
import { makeReader, startReader } from '../../../../../../services/use-cases/recall/reader/start-reader.ts';

const turns = ['I work at the harbour.', 'What a lovely evening that was.'].map(text => ({
  role: 'user',
  sentences: [text],
  fits: [1],
}));
const READINGS = [1.5, -2];
type Thread = Parameters<typeof makeReader>[0];
const thread = (more: Partial<Thread> = {}): Thread => ({
  ask: async () => READINGS,
  pending: () => 0,
  isReady: () => true,
  close: async () => {},
  ...more,
});
const never = () => new Promise<never>(() => {});

afterEach(() => {
  vi.useRealTimers();
});

it('its thread reads each turn, twice alike; once it is closed a recall does without it', async () => {
  const reader = startReader({ table: sharedTable(), isBehind: false });
  const first = await reader.read('Where do I work?', turns);
  expect(first).toHaveLength(2);
  expect(first![0]).toBeGreaterThan(first![1]! + 1);
  expect(await reader.read('Where do I work?', turns)).toEqual(first);
  await reader.close();
  expect(await reader.read('Where do I work?', turns)).toBeUndefined();
});

describe('a recall does without it', () => {
  it('while others wait for it', async () => {
    expect(await makeReader(thread({ pending: () => 2 })).read('q', turns)).toEqual(READINGS);
    expect(await makeReader(thread({ pending: () => 3 })).read('q', turns)).toBeUndefined();
  });

  it.each([
    ['after a second', true, 1_000],
    ['after two seconds where it is starting', false, 2_000],
  ])('%s without an answer', async (_, isReady, ms) => {
    vi.useFakeTimers();
    const answered = vi.fn();
    void makeReader(thread({ ask: never, isReady: () => isReady }))
      .read('q', turns)
      .then(answered);
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(answered).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(answered).toHaveBeenCalledWith(undefined);
  });

  it('when its thread has ended, and leaves it alone after the third time', async () => {
    const ask = vi.fn(() => Promise.reject(new Error('ended')));
    const { read } = makeReader(thread({ ask }));
    for (let i = 0; i < 5; i++) expect(await read('q', turns)).toBeUndefined();
    expect(ask).toHaveBeenCalledTimes(3);
  });
});

it('a cancelled recall waits for nothing', async () => {
  const cancelled = new AbortController();
  const asked = makeReader(thread({ ask: never })).read('q', turns, cancelled.signal);
  cancelled.abort(new Error('gone'));
  await expect(asked).rejects.toThrow('gone');
  const ask = vi.fn(never);
  await expect(makeReader(thread({ ask })).read('q', turns, cancelled.signal)).rejects.toThrow('gone');
  expect(ask).not.toHaveBeenCalled();
});
