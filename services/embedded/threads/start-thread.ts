import { type MessagePort, type ResourceLimits, Worker } from 'node:worker_threads';
import { threadFile } from '../../core/thread-file.ts';
import { messageOf, type Report } from '../../workers/report.ts';
import type { ThreadOrder } from './thread-data.ts';

export interface Thread {
  send(order: ThreadOrder): void;
  /** Finishes the step under way. */
  close(): Promise<void>;
}

export interface ThreadOptions {
  /** Its file, `<file>.thread.ts`. */
  file: 'projector' | 'consumer' | 'builder' | 'folder';
  /** For people; the file's where that says it. */
  name?: string;
  data: object;
  /** The ports in its data: they move there. */
  ports: readonly MessagePort[];
  limits?: ResourceLimits;
  onReport: (report: Report) => void;
}

/** Threads that stay are kept small. */
const SMALL: ResourceLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 24 };
/** A build's steps are large, and it ends. */
export const LARGE: ResourceLimits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 48 };

/** Resolves when the thread is ready; rejects when it can't start. */
export const startThread = async ({
  file,
  name = file,
  data,
  ports,
  limits = SMALL,
  onReport,
}: ThreadOptions): Promise<Thread> => {
  const worker = new Worker(threadFile(import.meta.url, file), {
    workerData: data,
    transferList: [...ports],
    resourceLimits: limits,
  });
  const stopped = (reason: string): void => onReport({ kind: 'stopped', reason });
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
  // A thread that dies later is a stopped one: what it read stays in the log.
  worker.on('error', error => stopped(messageOf(error)));
  worker.on('exit', () => !closing && stopped(`the ${name} thread ended`));
  return {
    send: order => worker.postMessage(order),
    close: async () => {
      closing = true;
      worker.postMessage('close' satisfies ThreadOrder);
      await closed;
    },
  };
};
