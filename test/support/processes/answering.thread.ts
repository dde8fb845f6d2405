/** A thread for the tests of what asks threads: the question says what it does with it. */
import { once } from 'node:events';
import { workerData } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import { serveInThread } from '../../../core/threads/serve-in-thread.ts';

export type Question =
  | { kind: 'echo'; text: string }
  /** Answered at the next `release`; a cancelled one as well, and not before. */
  | { kind: 'hold' }
  | { kind: 'release' }
  /** How many of those that are held were cancelled. */
  | { kind: 'cancelled' }
  | { kind: 'fail'; with: 'outage' | 'fault' | 'what no thread can send' }
  | { kind: 'end' };

const { failsToLoad = false } = (workerData ?? {}) as { failsToLoad?: boolean };
if (failsToLoad) throw new Error('it does not load');

const held: (() => void)[] = [];
let cancelled = 0;

const answer = async (question: Question, signal: AbortSignal): Promise<string> => {
  switch (question.kind) {
    case 'echo':
      return question.text;
    case 'hold':
      signal.addEventListener('abort', () => cancelled++);
      await new Promise<void>(resolve => held.push(resolve));
      return 'held';
    case 'release':
      for (const release of held.splice(0)) release();
      return 'released';
    case 'cancelled':
      return String(cancelled);
    case 'fail':
      if (question.with === 'outage') throw unavailable('The engine is away.', 'a cause', 7);
      if (question.with === 'fault') throw new TypeError('a fault of the code');
      return (() => {}) as unknown as string;
    case 'end':
      setImmediate(() => {
        throw new Error('ended by a test');
      });
      await once(signal, 'abort');
      return '';
  }
};

serveInThread<Question, string>({ answer, close: () => {} });
