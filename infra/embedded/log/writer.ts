import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { threadFile } from '../../../core/threads/file.ts';

export interface Writer {
  /** Opens a new connection; pass the port to `connectWriter` (event-log.ts) in any thread. */
  port(): MessagePort;
  /** Ends the thread after all its requests are durable. */
  close(): Promise<void>;
}

/**
 * Starts the writer thread; rejects if the files can't be opened. `onDeath`: called if it ends unexpectedly.
 */
export const startWriter = async (
  paths: { logPath: string; keysPath: string },
  onDeath: (error: Error) => void,
): Promise<Writer> => {
  const worker = new Worker(threadFile(import.meta.url, 'writer'), {
    workerData: paths,
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  let closing = false;
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve());
    worker.once('error', reject);
  });
  worker.on('error', error => !closing && onDeath(error as Error));
  worker.on('exit', () => !closing && onDeath(new Error('the writer thread ended')));
  return {
    port: () => {
      const { port1, port2 } = new MessageChannel();
      worker.postMessage({ attach: port1 }, [port1]);
      return port2;
    },
    close: async () => {
      closing = true;
      const closed = new Promise<void>(resolve => worker.once('exit', () => resolve()));
      worker.postMessage({ close: true });
      await closed;
    },
  };
};
