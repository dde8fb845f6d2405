import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { SearchRequest, SearchResult } from '../../../../../core/ports.ts';
import type { Deadline } from '../../../../../core/timing/deadline.ts';
import { makeRecallQueue } from '../../../../../services/use-cases/recall/recall-queue.ts';
import { tailTurn, turnRecorded } from '../../../../support/worlds/builders.ts';

// Time alone is waited for: a machine that is busy must not decide the outcome.
beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms));

const FOUND: SearchResult = { chosen: [], quoted: [], holding: [], confidence: 0, without: [] };
const request = (q: string): SearchRequest => ({
  scope: { org: 'acme' },
  q,
  mode: 'active',
  tail: [],
  kinds: ['turn'],
  topK: 5,
  moment: 0,
});

const deadlineIn = (ms: number): Deadline & { cancel(reason: Error): void } => {
  const cancelled = new AbortController();
  return {
    signal: cancelled.signal,
    at: performance.now() + ms,
    appendUntil: 0,
    beginAppend: () => {},
    cancel: reason => cancelled.abort(reason),
  };
};

/** Searches end when the test says so. */
const makeSearches = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const search = async ({ q }: SearchRequest): Promise<SearchResult> => {
    begun.push(q);
    await new Promise<void>(resolve => ends.set(q, resolve));
    return FOUND;
  };
  return { begun, search, end: (q: string) => ends.get(q)!() };
};

const faultOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

it('runs so many at once, and the others in their order', async () => {
  const { begun, search, end } = makeSearches();
  const ask = makeRecallQueue(search, { atOnce: 4, mostWaiting: 10 });
  const asked = ['a', 'b', 'c', 'd'].map(q => ask(request(q)));
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await asked[1];
  expect(begun).toEqual(['a', 'b', 'c']);
  end('a');
  end('c');
  await Promise.all([asked[0], asked[2]]);
  end('d');
  expect(await asked[3]).toBe(FOUND);
});

it('refuses at once what is more than may wait', async () => {
  const { search } = makeSearches();
  const ask = makeRecallQueue(search, { atOnce: 1, mostWaiting: 1 });
  void ask(request('a'));
  void ask(request('b'));
  expect(await faultOf(ask(request('c')))).toMatchObject({ code: 'unavailable', retryAfter: 1 });
});

it('lets a cancelled search leave the queue, so that it never runs', async () => {
  const { begun, search, end } = makeSearches();
  const ask = makeRecallQueue(search, { atOnce: 1, mostWaiting: 10 });
  const deadline = deadlineIn(60_000);
  const gone = new Error('gone');
  const [first, second, third] = [ask(request('a')), ask(request('b'), deadline), ask(request('c'))];
  deadline.cancel(gone);
  expect(await faultOf(second)).toBe(gone);
  expect(await faultOf(ask(request('b'), deadline))).toBe(gone);
  end('a');
  await first;
  end('c');
  await third;
  expect(begun).toEqual(['a', 'c']);
});

it('refuses early what would be answered late, with the seconds to wait', async () => {
  const slow = async (): Promise<SearchResult> => {
    await pause(100);
    return FOUND;
  };
  const ask = makeRecallQueue(slow, { atOnce: 4, mostWaiting: 1_000 });
  // The time that a search takes is unknown: all wait, and those behind are refused when it is known.
  const started = performance.now();
  const asking = Promise.all(
    Array.from({ length: 100 }, async () => {
      const fault = await faultOf(ask(request('a'), deadlineIn(1_000)));
      return { fault, ms: performance.now() - started };
    }),
  );
  await pass(1_000);
  const ends = await asking;
  const answered = ends.filter(({ fault }) => fault === undefined);
  expect(answered.length).toBeGreaterThan(8);
  expect(answered.length).toBeLessThan(24);
  for (const { fault, ms } of ends) {
    if (fault === undefined) continue;
    expect(fault).toMatchObject({ code: 'unavailable' });
    expect((fault as { retryAfter: number }).retryAfter).toBeGreaterThanOrEqual(1);
    expect(ms).toBeLessThan(950);
  }
  // Now it is known, and no time passes.
  const asked = Array.from({ length: 100 }, () => faultOf(ask(request('a'), deadlineIn(1_000))));
  expect(await Promise.race(asked.slice(50))).toMatchObject({ code: 'unavailable' });
  await pass(1_000);
  await Promise.all(asked);
});

it('answers one organization in time, and refuses it nothing, while another floods', async () => {
  const ask = makeRecallQueue(
    async () => {
      await pause(20);
      return FOUND;
    },
    { atOnce: 4, mostWaiting: 100 },
  );
  let isOver = false;
  let refused = 0;
  const flood = Array.from({ length: 150 }, async () => {
    while (!isOver) {
      if ((await faultOf(ask(request('a'), deadlineIn(30_000)))) !== undefined) refused++;
      await pause(10);
    }
  });
  await pass(100);
  const waited: number[] = [];
  const other = async (): Promise<void> => {
    for (let n = 0; n < 20; n++) {
      const started = performance.now();
      await ask({ ...request('b'), scope: { org: 'other' } }, deadlineIn(300));
      waited.push(performance.now() - started);
    }
  };
  const answered = other();
  await pass(1_500);
  await answered;
  isOver = true;
  await pass(2_000);
  await Promise.all(flood);
  expect(waited).toHaveLength(20);
  expect(Math.max(...waited)).toBeLessThan(150);
  expect(refused).toBeGreaterThan(0);
});

it('answers again when searches are quick again', async () => {
  let ms = 200;
  const ask = makeRecallQueue(
    async () => {
      await pause(ms);
      return FOUND;
    },
    { atOnce: 1, mostWaiting: 100 },
  );
  const answered = async (asked: Promise<unknown>): Promise<void> => {
    await pass(ms);
    await asked;
  };
  await answered(ask(request('a'), deadlineIn(300)));
  const first = ask(request('a'));
  expect(await faultOf(ask(request('b'), deadlineIn(300)))).toMatchObject({ code: 'unavailable' });
  await answered(first);
  ms = 1;
  for (let n = 0; n < 20; n++) await answered(ask(request('a')));
  const all = Array.from({ length: 10 }, () => ask(request('a'), deadlineIn(300)));
  await pass(10);
  await Promise.all(all);
});

it('lets the others run when a search fails', async () => {
  let asked = 0;
  const ask = makeRecallQueue(
    async () => {
      if (++asked % 2 === 1) throw new Error('a fault');
      return FOUND;
    },
    { atOnce: 1, mostWaiting: 10 },
  );
  const ends = await Promise.all([1, 2, 3, 4].map(n => faultOf(ask(request(String(n))))));
  expect(ends.map(fault => fault === undefined)).toEqual([false, true, false, true]);
});

it('refuses a search whose tail is more than searches may hold, and takes one alone', async () => {
  const { search, end } = makeSearches();
  const ask = makeRecallQueue(search, { atOnce: 4, mostWaiting: 10, mostTailBytes: 100_000 });
  const withTail = (q: string): SearchRequest => ({
    ...request(q),
    tail: [{ ...tailTurn(turnRecorded(1)), text: 'x'.repeat(60_000) }],
  });
  const first = ask(withTail('a'));
  expect(await faultOf(ask(withTail('b')))).toMatchObject({ code: 'unavailable' });
  const without = ask(request('c'));
  end('a');
  end('c');
  await Promise.all([first, without]);
  const next = ask(withTail('d'));
  end('d');
  expect(await next).toBe(FOUND);
});
