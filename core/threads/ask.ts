import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { unavailable } from '../errors.ts';
import type { Log } from '../watch/logger.ts';
import { type CarriedError, errorOf } from './carried-error.ts';

/** `cancel`: the answer is no longer wanted; the thread ends its work early and still answers. */
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
   * Rejects with `unavailable` while the thread restarts, and with the error that the thread threw. When the
   * signal is aborted it rejects with its reason, but only once the thread has let go of the question: until
   * then the question costs the thread's time.
   */
  ask(question: Question, signal?: AbortSignal): Promise<Answer>;
  /** The number of awaited answers. */
  pending(): number;
  /** Whether the thread has loaded and can answer at once. */
  isReady(): boolean;
  /** Resolves when the thread is ready for the first time, or has ended before. */
  started: Promise<void>;
  /** Returns why it can't answer at the moment. */
  fault(): string | undefined;
  eventLoopUtilization(): EventLoopUtilization;
  /** Waits for pending answers. */
  close(): Promise<void>;
}

export interface AskedThreadOptions {
  /** For the logger. */
  name: string;
  /** The module of the thread, which calls `serveInThread`. */
  file: URL;
  /** Called at each start. */
  worker: () => WorkerOptions;
  /** The message of `unavailable` when the thread has ended. */
  message: string;
  /**
   * Undefined: the thread always runs, and is logged and replaced when it ends. Otherwise it starts with a
   * question and ends after so many milliseconds without one.
   */
  idleMs?: number;
  log?: Pick<Log, 'error'>;
}

/** Back-off between two starts of the thread; reset once a question is answered. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;

/**
 * Starts a thread that answers questions and owns no state: when it ends it is replaced, and open questions
 * fail with `unavailable`. It keeps the process alive only while an answer is awaited.
 */
export const startAskedThread = <Question, Answer>({
  name,
  file,
  worker: optionsOf,
  message,
  idleMs,
  log,
}: AskedThreadOptions): AskedThread<Question, Answer> => {
  const pending = new Map<number, Pick<PromiseWithResolvers<Answer>, 'resolve' | 'reject'>>();
  const started = Promise.withResolvers<void>();
  let number = 0;
  let worker: Worker | undefined;
  let isReady = false;
  let fault: string | undefined;
  let closed: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;
  /** Timer of the next start, or of the end of an idle thread. */
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  const send = (message: ThreadMessage<Question>): void => worker?.postMessage(message);

  const retire = (): void => {
    send({ kind: 'close' });
    worker = undefined;
    isReady = false;
  };

  const rest = (): void => {
    onIdle?.();
    if (closed) return;
    worker?.unref();
    if (idleMs !== undefined && idleMs < Number.POSITIVE_INFINITY) timer = setTimeout(retire, idleMs).unref();
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
    if (pending.size === 0) rest();
  };

  const ended = (one: Worker, reason: string): void => {
    // A retired thread may end after the next one has started.
    if (one !== worker) return;
    worker = undefined;
    isReady = false;
    fault = reason;
    started.resolve();
    for (const { reject } of pending.values()) reject(unavailable(message, fault));
    pending.clear();
    onIdle?.();
    if (closed || idleMs !== undefined) return;
    log?.error({ thread: name, reason }, 'ended, starting another');
    timer = setTimeout(start, pauseMs).unref();
    pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
  };

  const start = (): void => {
    let reason = `the ${name} thread ended`;
    const one = new Worker(file, optionsOf());
    one.on('message', receive);
    one.on('error', error => {
      reason = error instanceof Error ? error.message : 'unknown fault';
    });
    one.on('exit', () => ended(one, reason));
    // After the listeners: a message listener keeps the process alive again.
    one.unref();
    worker = one;
  };
  if (idleMs === undefined) start();

  const ask = async (question: Question, signal?: AbortSignal): Promise<Answer> => {
    signal?.throwIfAborted();
    if (idleMs !== undefined && !closed) {
      clearTimeout(timer);
      if (!worker) start();
    }
    if (!worker || closed) throw unavailable(message, fault);
    if (pending.size === 0) worker.ref();
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
    clearTimeout(timer);
    // The caller awaits this, so the process must stay alive meanwhile.
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
