import { type MessagePort, Worker } from 'node:worker_threads';
import { unavailable } from '../../core/errors.ts';
import type { ExportChunk, ExportChunks } from '../../core/ports.ts';
import { threadFile } from '../../core/thread-file.ts';

export interface ExporterData {
  paths: { log: string; keys: string; installationKeys: string };
  writer: MessagePort;
}

type Range = Parameters<ExportChunks>[0];
export type ExporterMessage = 'close' | { number: number; range: Range };
export type ExporterReply = { number: number; chunk: ExportChunk } | { number: number; fault: string };

export interface Exporter {
  chunks: ExportChunks;
  close(): Promise<void>;
}

/** A thread that nobody has used for this long ends. */
const IDLE_MS = 30_000;

interface Running {
  worker: Worker;
  pending: Map<number, { resolve: (chunk: ExportChunk) => void; reject: (error: Error) => void }>;
  ended: Promise<void>;
}

/** Reads exports on a thread, which is started when it is needed. One that ends unasked is replaced by the next call. */
export const makeExporter = (data: () => ExporterData, idleMs = IDLE_MS): Exporter => {
  let running: Running | undefined;
  let idle: NodeJS.Timeout | undefined;
  let number = 0;

  const start = (): Running => {
    const own = data();
    const worker = new Worker(threadFile(import.meta.url, 'export'), {
      workerData: own,
      transferList: [own.writer],
      resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24 },
    });
    const pending: Running['pending'] = new Map();
    let fault: string | undefined;
    worker.on('message', (reply: ExporterReply) => {
      const asked = pending.get(reply.number);
      pending.delete(reply.number);
      if ('chunk' in reply) asked?.resolve(reply.chunk);
      else asked?.reject(unavailable("The log can't be read right now.", reply.fault));
      if (pending.size === 0) idle = setTimeout(() => void stop(), idleMs).unref();
    });
    worker.on('error', error => {
      fault = error instanceof Error ? error.message : 'unknown fault';
    });
    const ended = new Promise<void>(resolve => {
      worker.once('exit', () => {
        if (running?.worker === worker) running = undefined;
        for (const { reject } of pending.values())
          reject(unavailable('The thread that exports ended.', fault));
        resolve();
      });
    });
    return { worker, pending, ended };
  };

  const stop = async (): Promise<void> => {
    clearTimeout(idle);
    const one = running;
    if (!one) return;
    running = undefined;
    one.worker.postMessage('close' satisfies ExporterMessage);
    await one.ended;
  };

  return {
    chunks: range => {
      clearTimeout(idle);
      running ??= start();
      const { worker, pending } = running;
      return new Promise((resolve, reject) => {
        pending.set(++number, { resolve, reject });
        worker.postMessage({ number, range } satisfies ExporterMessage);
      });
    },
    close: stop,
  };
};
