import { on } from 'node:events';
import { type MessagePort, Worker } from 'node:worker_threads';
import type { VerifyMessage } from '../../../core/operator/verification.ts';
import { threadFile } from '../../../core/threads/file.ts';
import type { VerifyOptions } from '../../operations/verify/verify.ts';

export interface VerifierData {
  /** `projections`: the file of the generation to be verified. */
  paths: { log: string; keys: string; installationKeys: string; projections: string };
  /** The static table, shared by all threads. */
  table: SharedArrayBuffer;
  writer: MessagePort;
  options: VerifyOptions;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
}

export type VerifierMessage =
  | { kind: 'said'; message: VerifyMessage }
  | { kind: 'ended' }
  | { kind: 'failed'; reason: string };

/**
 * Compares a projections' file with the log, on a separate thread; a server may write both meanwhile. Yields
 * the messages of `Verify`. Throws when the verification fails; ends early when `signal` is aborted.
 */
export const verifyFile = async function* (
  data: VerifierData,
  signal: AbortSignal,
): AsyncGenerator<VerifyMessage> {
  const worker = new Worker(threadFile(import.meta.url, 'verify'), {
    workerData: data,
    transferList: [data.writer],
    resourceLimits: { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 24 },
  });
  try {
    const messages = on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<[VerifierMessage]>;
    for await (const [message] of messages) {
      if (message.kind === 'ended') return;
      if (message.kind === 'failed') throw new Error(`the verification failed: ${message.reason}`);
      yield message.message;
    }
    throw new Error('the thread that verifies ended');
  } finally {
    // The thread reads without a pause, so it would not receive a message; terminating it also closes its
    // files.
    await worker.terminate();
  }
};
