import type { MessagePort } from 'node:worker_threads';
import type { ExportChunk, ExportChunks } from '../../../core/ports.ts';
import { startAskedThread } from '../../../core/threads/ask.ts';
import { threadFile } from '../../../core/threads/file.ts';

export interface ExporterData {
  paths: { log: string; keys: string; installationKeys: string };
  writer: MessagePort;
}

export type ExportedRange = Parameters<ExportChunks>[0];

export interface Exporter {
  chunks: ExportChunks;
  close(): Promise<void>;
}

/** A thread that nobody has used for this long ends. */
const IDLE_MS = 30_000;

/**
 * Reads exports on a thread, which is started when it is needed. One that ends unasked is replaced by the
 * next call.
 */
export const makeExporter = (data: () => ExporterData, idleMs = IDLE_MS): Exporter => {
  const thread = startAskedThread<ExportedRange, ExportChunk>({
    name: 'export',
    file: threadFile(import.meta.url, 'export'),
    worker: () => {
      const own = data();
      return {
        workerData: own,
        transferList: [own.writer],
        resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 24 },
      };
    },
    message: 'The thread that exports ended.',
    idleMs,
  });
  return { chunks: range => thread.ask(range), close: thread.close };
};
