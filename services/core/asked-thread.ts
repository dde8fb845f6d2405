import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { type CarriedError, errorOf } from './carried-error.ts';
import { unavailable } from './errors.ts';
import type { Log } from './watch/logger.ts';

/** `cancel`: nobody waits for this answer any more; the thread ends its work early and answers all the same. */
export type ThreadMessage<Question> =
  | { kind: 'question'; number: number; question: Question }
  | { kind: 'cancel'; number: number }
  | { kind: 'close' };
export type ThreadReply<Answer> =
  | { kind: 'ready' }
  | { kind: 'answer'; number: number; answer: Answer }
  | { kind: 'failed'; number: number; error: CarriedError };

export interface AskedThread<Question, Answer> {
  /**
   * Rejects with `unavailable` while the thread starts again, and with the error that the thread threw. When the signal is
   * aborted it rejects with its reason, but only once the thread has let go of the question: until then it costs the
   * thread's time.
   */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  /** How many answers are awaited. */
  pending(): number;
  /** Whether it has loaded and can answer at once. */
  isReady(): boolean;
  /** Resolves when it is ready for the first time, or has ended before. */
  started: Promise<void>;
  /** Why it can't answer at the moment. */
  fault(): string | undefined;
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for pending answers. */
  close(): Promise<void>;
}

export interface AskedThreadOptions {
  /** For the logger, and as the subject of what its callers are told: `recall`. */
  name: string;
  /** It calls `answerInThread`. */
  file: URL;
  /** Its `workerData`; called at each start. */
  data: () => unknown;
  resourceLimits: ResourceLimits;
  log: Pick<Log, 'error'>;
}

/** Back-off between two starts of the thread; it begins anew once a question was answered. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/**
 * A thread that is asked and answers, and owns nothing: one that ends is replaced, and what was asked of it fails with
 * `unavailable`. It doesn't keep the process alive.
 */
export const startAskedThread = <Question, Answer>(
  options: AskedThreadOptions,
): AskedThread<Question, Answer> => {
  const { name, file, data, resourceLimits, log } = options;
  const pending = new Map<number, Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>>();
  const started = Promise.withResolvers<void>();
  let number = 0;
  let worker: Worker | undefined;
  let isReady = false;
  let fault: string | undefined;
  let closed: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;
  let restart: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const startingAgain = (): Error => {
    const subject = `${name[0]!.toUpperCase()}${name.slice(1)}`;
    return unavailable(`${subject} is starting again.`, fault);
  };

  const receive = (reply: ThreadReply<Answer>): void => {
    if (reply.kind === 'ready') {
      isReady = true;
      fault = undefined;
      started.resolve();
      return;
    }
    const asked = pending.get(reply.number);
    pending.delete(reply.number);
    pauseMs = FIRST_PAUSE_MS;
    if (reply.kind === 'answer') asked?.resolve(reply.answer);
    else asked?.reject(errorOf(reply.error));
    if (pending.size === 0) onIdle?.();
  };

  const ended = (reason: string): void => {
    worker = undefined;
    isReady = false;
    fault = reason;
    started.resolve();
    for (const { reject } of pending.values()) reject(startingAgain());
    pending.clear();
    onIdle?.();
    if (closed) return;
    log.error({ thread: name, reason }, 'ended, starting another');
    restart = setTimeout(start, pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };

  const start = (): void => {
    let reason = `the ${name} thread ended`;
    worker = new Worker(file, { workerData: data(), resourceLimits });
    worker.on('message', receive);
    worker.on('error', error => {
      reason = error instanceof Error ? error.message : 'unknown fault';
    });
    worker.on('exit', () => ended(reason));
    // After the listeners: one for messages keeps the process alive again.
    worker.unref();
  };
  start();

  const send = (message: ThreadMessage<Question>): void => worker?.postMessage(message);

  const ask = async (question: Question, signal?: AbortSignal): Promise<Answer> => {
    signal?.throwIfAborted();
    if (!worker || closed) throw startingAgain();
    const asked = ++number;
    send({ kind: 'question', number: asked, question });
    const cancel = (): void => send({ kind: 'cancel', number: asked });
    signal?.addEventListener('abort', cancel, { once: true });
    const answer = Promise.withResolvers<Answer>();
    pending.set(asked, answer);
    return answer.promise.finally(() => {
      signal?.removeEventListener('abort', cancel);
      signal?.throwIfAborted();
    });
  };

  const close = async (): Promise<void> => {
    clearTimeout(restart);
    // Whoever closes it waits for it, and must not find the process ended meanwhile.
    worker?.ref();
    if (worker && pending.size > 0) await new Promise<void>(resolve => (onIdle = resolve));
    if (!worker) return;
    const isOver = new Promise<void>(resolve => (onIdle = resolve));
    send({ kind: 'close' });
    await isOver;
  };

  return {
    ask,
    pending: () => pending.size,
    isReady: () => isReady,
    started: started.promise,
    fault: () => fault,
    eventLoopUtilization: () =>
      worker?.performance.eventLoopUtilization() ?? performance.eventLoopUtilization(),
    close: () => (closed ??= close()),
  };
};
