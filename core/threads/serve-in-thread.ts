import { parentPort } from 'node:worker_threads';
import type { ThreadMessage, ThreadReply } from './ask.ts';
import { carriedError } from './carried-error.ts';

export interface ThreadWork<Question, Answer> {
  /** `signal`: aborted when the answer is no longer wanted. */
  answer(question: Question, signal: AbortSignal): Answer | Promise<Answer>;
  /** Closes the thread's resources. */
  close?(): unknown;
}

/**
 * The thread's side of `startAskedThread`. Call it once the thread can answer; earlier questions have waited.
 */
export const serveInThread = <Question, Answer>({ answer, close }: ThreadWork<Question, Answer>): void => {
  const port = parentPort!;
  const running = new Map<number, AbortController>();
  const reply = (message: ThreadReply<Answer>): void => port.postMessage(message);

  const run = async (number: number, question: Question): Promise<void> => {
    const cancelled = new AbortController();
    running.set(number, cancelled);
    try {
      reply({ kind: 'answer', number, answer: await answer(question, cancelled.signal) });
    } catch (error) {
      reply({ kind: 'failed', number, error: carriedError(error) });
    } finally {
      running.delete(number);
    }
  };

  port.on('message', async (message: ThreadMessage<Question>) => {
    if (message.kind === 'question') return run(message.number, message.question);
    if (message.kind === 'cancel') return running.get(message.number)?.abort();
    await close?.();
    port.close();
  });
  reply({ kind: 'ready' });
};
