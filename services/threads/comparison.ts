import { Worker } from 'node:worker_threads';
import { furthest } from '../replay/positions.ts';
import type { Running } from '../replay/running.ts';

/** Paths of two projections' files. */
export interface ComparisonData {
  serving: string;
  next: string;
}

/** `taken`: of both files there is a picture, and they may move on. */
export type ComparisonMessage = { kind: 'taken' } | { kind: 'compared'; rows: number; differences: number };

interface Compared {
  rows: number;
  differences: number;
}

const start = (data: ComparisonData, signal: AbortSignal) => {
  const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';
  const worker = new Worker(new URL(`./compare${extension}`, import.meta.url), { workerData: data });
  const taken = Promise.withResolvers<void>();
  const compared = Promise.withResolvers<Compared>();
  const fail = (error: unknown): void => {
    taken.reject(error);
    compared.reject(error);
  };
  compared.promise.catch(() => {});
  worker.on('message', (message: ComparisonMessage) => {
    if (message.kind === 'taken') taken.resolve();
    else compared.resolve({ rows: message.rows, differences: message.differences });
  });
  worker.on('error', fail);
  worker.on('exit', () => fail(new Error('the comparison ended before it was done')));
  signal.addEventListener('abort', () => void worker.terminate(), { once: true });
  return { taken: taken.promise, compared: compared.promise };
};

/**
 * Rows and sums of both generations' files, at the same positions. One of another version writes other things: against
 * it nothing is compared.
 */
export const compareGenerations = async (
  serving: Running,
  next: Running,
  path: (number: number) => string,
  signal: AbortSignal,
): Promise<Compared> => {
  if (serving.isFrozen || serving.stopped() !== undefined) return { rows: 0, differences: 0 };
  let comparison: ReturnType<typeof start>;
  try {
    const at = furthest(await serving.hold(), await next.hold());
    await Promise.all([serving.hold(at), next.hold(at)]);
    comparison = start({ serving: path(serving.number), next: path(next.number) }, signal);
    await comparison.taken;
  } finally {
    serving.goOn();
    next.goOn();
  }
  return comparison.compared;
};
