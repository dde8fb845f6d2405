import { type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { messageOf, type Report } from '../../workers/report.ts';
import type { ThreadOrder } from './thread-data.ts';

export interface Thread {
  send(order: ThreadOrder): void;
  /** Finishes the current step first. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** The thread's code (core/threads/file.ts). */
  file: URL;
  /** The thread's name in messages. */
  name: string;
  data: object;
  /** The ports in its data, which are transferred to the thread. */
  ports: readonly MessagePort[];
  limits?: ResourceLimits;
  onReport: (report: Report) => void;
  /** Called when it ends by itself after it was ready. */
  onEnded: (reason: string) => void;
}

/** Long-running threads are kept small. */
const SMALL: ResourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 24 };
/** The limits of a build's threads: their steps are large, and they end with the build. */
export const LARGE: ResourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 48 };

/** Resolves when the thread is ready; rejects when it can't start. */
export const startThread = async ({
  file,
  name,
  data,
  ports,
  limits = SMALL,
  onReport,
  onEnded,
}: ThreadOptions): Promise<Thread> => {
  const worker = new Worker(file, {
    workerData: data,
    transferList: [...ports],
    resourceLimits: limits,
  });
  let closing = false;
  const closed = new Promise<void>(resolve => worker.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error(`the ${name} thread ended while it started`)));
    worker.on('message', (report: Report) => {
      onReport(report);
      if (report.kind === 'ready') resolve();
    });
  });
  let reason = '';
  worker.on('error', error => {
    reason = `: ${messageOf(error)}`;
  });
  worker.on('exit', () => {
    if (!closing) onEnded(`the ${name} thread ended${reason}`);
  });
  return {
    send: order => worker.postMessage(order),
    close: async () => {
      closing = true;
      worker.postMessage('close' satisfies ThreadOrder);
      await closed;
    },
  };
};
