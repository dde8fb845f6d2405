import { expect, it } from 'vitest';
import type { AskedThread } from '../../../../core/threads/ask.ts';
import { startThreadPool } from '../../../../core/threads/pool.ts';

interface Started {
  thread: AskedThread<string, string>;
  /** In the order in which they were asked. */
  asked: string[];
  isBehind: boolean;
  isReady: boolean;
  fault: string | undefined;
  isClosed: boolean;
  answer(question: string): void;
}

/** Threads that answer when the test says so; `busiest` asks most. */
const makeThreads = (busiest = '') => {
  const started: Started[] = [];
  const start = (isBehind: boolean): Started['thread'] => {
    const pending = new Map<string, (answer: string) => void>();
    const one: Started = {
      asked: [],
      isBehind,
      isReady: started.length === 0,
      fault: undefined,
      isClosed: false,
      answer: question => {
        pending.get(question)!(question);
        pending.delete(question);
      },
      thread: {
        ask: question =>
          new Promise(resolve => {
            one.asked.push(question);
            pending.set(question, resolve);
          }),
        pending: () => pending.size,
        isReady: () => one.isReady,
        started: Promise.resolve(),
        fault: () => one.fault,
        eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: 0 }),
        close: async () => {
          one.isClosed = true;
        },
      },
    };
    started.push(one);
    return one.thread;
  };
  return {
    started,
    threads: startThreadPool(start, { begin: () => () => {}, isBusiest: org => org === busiest }),
  };
};

it('starts the second one when two organizations ask at a time', () => {
  const { started, threads } = makeThreads();
  for (const question of ['a1', 'a2', 'a3']) void threads.ask('a', question);
  expect(started).toHaveLength(1);
  void threads.ask('b', 'b1');
  expect(started).toHaveLength(2);
  // It has not loaded yet.
  expect(started[0]!.asked).toEqual(['a1', 'a2', 'a3', 'b1']);
  void threads.ask('c', 'c1');
  expect(started).toHaveLength(2);
});

it('starts one for an organization alone, also while that one is loading', () => {
  const { started, threads } = makeThreads();
  started[0]!.isReady = false;
  for (const question of ['a1', 'a2', 'a3']) void threads.ask('a', question);
  expect(started).toHaveLength(1);
});

it('keeps the questions of an organization in one thread, so that the other one is there for others', async () => {
  const { started, threads } = makeThreads();
  const [first, second] = [threads.ask('a', 'a1'), threads.ask('b', 'b1')];
  const [one, other] = started;
  other!.isReady = true;
  one!.answer('b1');
  await second;
  for (const question of ['a2', 'a3', 'a4']) void threads.ask('a', question);
  for (const question of ['b2', 'b3', 'b4']) void threads.ask('b', question);
  expect(one!.asked).toEqual(['a1', 'b1', 'a2', 'a3', 'a4']);
  expect(other!.asked).toEqual(['b2', 'b3', 'b4']);
  // One that comes asks where the least is under way.
  for (const question of ['b2', 'b3']) other!.answer(question);
  void threads.ask('c', 'c1');
  expect(other!.asked.at(-1)).toBe('c1');
  one!.answer('a1');
  expect(await first).toBe('a1');
});

it('parts organizations that were in one thread as soon as the other one is idle', () => {
  const { started, threads } = makeThreads();
  void threads.ask('a', 'a1');
  void threads.ask('b', 'b1');
  const [one, other] = started;
  void threads.ask('b', 'b2');
  expect(one!.asked).toEqual(['a1', 'b1', 'b2']);
  other!.isReady = true;
  for (const question of ['b3', 'b4']) void threads.ask('b', question);
  for (const question of ['a2', 'a3']) void threads.ask('a', question);
  expect(one!.asked.slice(3)).toEqual(['a2', 'a3']);
  expect(other!.asked).toEqual(['b3', 'b4']);
});

it('has whoever asks most behind, unless others are there', () => {
  const { started, threads } = makeThreads('a');
  void threads.ask('a', 'a1');
  void threads.ask('b', 'b1');
  const [one, other] = started;
  expect([one!.isBehind, other!.isBehind]).toEqual([false, true]);
  // It has not loaded yet.
  void threads.ask('a', 'a2');
  other!.isReady = true;
  for (const question of ['a3', 'a4', 'a5']) void threads.ask('a', question);
  for (const question of ['b2', 'b3']) void threads.ask('b', question);
  expect(one!.asked).toEqual(['a1', 'b1', 'a2', 'b2', 'b3']);
  expect(other!.asked).toEqual(['a3', 'a4', 'a5']);
  for (const question of ['a1', 'b1', 'a2', 'b2', 'b3']) one!.answer(question);
  void threads.ask('a', 'a6');
  expect(other!.asked.at(-1)).toBe('a6');
  other!.fault = 'it ended';
  other!.isReady = false;
  void threads.ask('a', 'a7');
  expect(one!.asked.at(-1)).toBe('a7');
});

it('leaves one that is behind alone there when whoever asks most comes', () => {
  const { started, threads } = makeThreads('a');
  void threads.ask('c', 'c1');
  void threads.ask('c', 'c2');
  void threads.ask('b', 'b1');
  const [one, other] = started;
  other!.isReady = true;
  void threads.ask('b', 'b2');
  expect(other!.asked).toEqual(['b2']);
  for (const question of ['c1', 'c2', 'b1']) one!.answer(question);
  void threads.ask('a', 'a1');
  expect(one!.asked.at(-1)).toBe('a1');
});

it('asks the other one while one has ended, and says why', async () => {
  const { started, threads } = makeThreads();
  void threads.ask('a', 'a1');
  void threads.ask('b', 'b1');
  const [one, other] = started;
  other!.isReady = true;
  expect(threads.fault()).toBeUndefined();
  one!.isReady = false;
  one!.fault = 'it ended';
  void threads.ask('a', 'a2');
  expect(other!.asked).toEqual(['a2']);
  expect(threads.fault()).toBe('it ended');
});

it('closes all of them and starts none afterwards', async () => {
  const { started, threads } = makeThreads();
  void threads.ask('a', 'a1');
  await threads.close();
  void threads.ask('b', 'b1');
  expect(started.map(({ isClosed }) => isClosed)).toEqual([true]);
});
