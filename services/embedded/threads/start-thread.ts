import { type MessagePort, Worker } from 'node:worker_threads';
import { threadFile } from '../../core/thread-file.ts';
import type { ThreadMessage, ThreadOrder } from './thread-data.ts';

export interface Thread {
  tell(order: ThreadOrder): void;
  /** Finishes the step under way. */
  close(): Promise<void>;
}

/** Those that stay are kept small; a build's steps are large, and it ends. */
const SMALL = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 24 };
const LARGE = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 48 };
const LIMITS = { projector: SMALL, enricher: SMALL, builder: LARGE, folder: LARGE };

type Name = keyof typeof LIMITS;

/** Starts `<name>.thread.ts` and resolves when it is ready; rejects when it can't start. The ports in its data move there. */
export const startThread = async (
  name: Name,
  data: object,
  ports: readonly MessagePort[],
  onMessage: (message: ThreadMessage) => void,
): Promise<Thread> => {
  const worker = new Worker(threadFile(import.meta.url, name), {
    workerData: data,
    transferList: [...ports],
    resourceLimits: LIMITS[name],
  });
  let closing = false;
  const closed = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`the ${name} thread ended while it started`)));
    worker.on('message', (message: ThreadMessage) => {
      onMessage(message);
      if (message.kind === 'ready') resolve();
    });
  });
  // A thread that dies later is a stopped one: what it read stays in the log.
  worker.on('error', error =>
    onMessage({ kind: 'stopped', reason: error instanceof Error ? error.message : 'fault' }),
  );
  worker.on('exit', () => !closing && onMessage({ kind: 'stopped', reason: `the ${name} thread ended` }));
  return {
    tell: order => worker.postMessage(order),
    close: async () => {
      closing = true;
      worker.postMessage('close' satisfies ThreadOrder);
      await closed;
    },
  };
};
