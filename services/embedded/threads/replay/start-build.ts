import { threadFile } from '../../../../core/threads/file.ts';
import type { Report } from '../../../workers/report.ts';
import { LARGE, startThread, type Thread } from '../start-thread.ts';
import type { BuilderData, ThreadData } from '../thread-data.ts';
import { HALVES, type Half } from './halves.ts';
import { makeSharedLock, releaseFor } from './shared-lock.ts';

export interface Build {
  /** Ends after the current batches are written; the file stays as it is then. */
  close(): Promise<void>;
}

/**
 * Fills a generation's file from the log: two threads, each with half of the partitions, read, decode, fold
 * and write. Resumes where the file ends, follows the log until it is closed, and reports each commit.
 * Rejects when a thread can't start.
 */
export const startBuild = async (
  {
    data,
    projections,
    model,
    throttle,
  }: Pick<BuilderData, 'projections' | 'model'> & {
    data: () => ThreadData;
    throttle: number | undefined;
  },
  onReport: (report: Report) => void,
): Promise<Build> => {
  const lock = makeSharedLock();
  // Each thread has its share of the throttle, so together they never exceed it.
  const share = throttle === undefined ? undefined : Math.max(1, Math.floor(throttle / HALVES.length));
  const threads: { half: Half; thread: Thread }[] = [];
  const close = async (): Promise<void> => {
    for (const { half, thread } of threads.splice(0).reverse()) {
      await thread.close();
      releaseFor(lock, half);
    }
  };

  const start = (half: Half): Promise<Thread> => {
    const own = { ...data(), projections, model, half, lock, throttle: share } satisfies BuilderData;
    return startThread({
      file: threadFile(import.meta.url, 'builder'),
      name: 'builder',
      data: own,
      ports: [own.writer],
      limits: LARGE,
      onReport: report => {
        // The first one makes the file, and writes already when the second one is ready.
        if (report.kind !== 'ready' || half === HALVES[0]) onReport(report);
      },
      // A build that lost a thread ends; the next one continues where the file ends.
      onEnded: reason => {
        releaseFor(lock, half);
        onReport({ kind: 'stopped', reason });
      },
    });
  };

  for (const half of HALVES) {
    try {
      threads.push({ half, thread: await start(half) });
    } catch (error) {
      releaseFor(lock, half);
      await close();
      throw error;
    }
  }
  return { close };
};
