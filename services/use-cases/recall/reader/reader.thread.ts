/**
 * The reader's thread: some 100 ms of processor time for a question, for which its own recall waits and no
 * other.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { BEHIND_CALLS, lowerPriority } from '../../../../core/threads/low-priority.ts';
import { serveInThread } from '../../../../core/threads/serve-in-thread.ts';
import { openReader } from '../../../../domain/reader/reader.ts';
import type { WeightsFile } from '../../../../domain/reader/weights.ts';
import type { ReaderQuestion, ReaderThreadData } from './start-reader.ts';

const { table, isBehind } = workerData as ReaderThreadData;
if (isBehind) lowerPriority(BEHIND_CALLS);

/** The weights, read where they stay: another copy would be garbage that is collected late. */
const weightsFile = (): WeightsFile & { close(): void } => {
  const file = openSync(new URL('../../../../domain/reader/reader.bin', import.meta.url), 'r');
  return {
    size: fstatSync(file).size,
    readInto: memory => {
      for (let at = 0; at < memory.length; ) {
        const read = readSync(file, memory, at, memory.length - at, at);
        if (read === 0) throw new Error('the weights of the reader are cut');
        at += read;
      }
    },
    close: () => closeSync(file),
  };
};

const weights = weightsFile();
const read = openReader(weights, new Uint8Array(table));
weights.close();

serveInThread<ReaderQuestion, number[]>({ answer: ({ question, turns }) => read(question, turns) });
