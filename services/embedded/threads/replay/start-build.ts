import { MessageChannel } from 'node:worker_threads';
import type { Positions } from '../../../../core/ports.ts';
import { threadFile } from '../../../../core/threads/file.ts';
import { PROJECTED_TOPICS } from '../../../../projections/all.ts';
import type { Report } from '../../../workers/report.ts';
import { LARGE, startThread, type Thread } from '../start-thread.ts';
import type { BuilderData, FolderData, ThreadData } from '../thread-data.ts';

export interface Build {
  /** Ends after the current batch is written; the file stays as it is then. */
  close(): Promise<void>;
}

/**
 * The topics of each folder thread. The projections don't depend on the order between topics. There are only
 * two threads, because a thread that decodes turns leaves too little work for more.
 */
const SHARES = [PROJECTED_TOPICS.filter(topic => topic !== 'observations'), ['observations']] as const;

/**
 * Fills a generation's file from the log: two threads read, decode and fold while another writes. Resumes
 * where the file ends, follows the log until it is closed, and reports each commit. Rejects when a thread
 * can't start.
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
  const channels = SHARES.map(topics => ({ topics, ...new MessageChannel() }));
  let positions: Positions = {};
  const threads: Thread[] = [];
  /** A build that lost a thread ends; the next one continues where the file ends. */
  const onEnded = (reason: string): void => onReport({ kind: 'stopped', reason });
  const close = async (): Promise<void> => {
    for (const thread of threads.splice(0).reverse()) await thread.close();
  };
  try {
    const batches = channels.map(({ port1 }) => port1);
    threads.push(
      await startThread({
        file: threadFile(import.meta.url, 'builder'),
        name: 'builder',
        data: { projections, batches, model } satisfies BuilderData,
        ports: batches,
        limits: LARGE,
        onReport: report => {
          if (report.kind === 'ready') positions = report.positions;
          onReport(report);
        },
        onEnded,
      }),
    );
    // Each thread has its share of the throttle, so together they never exceed it.
    const share = throttle === undefined ? undefined : Math.max(1, Math.floor(throttle / SHARES.length));
    for (const { topics, port2 } of channels) {
      const own = { ...data(), topics, positions, batches: port2, throttle: share } satisfies FolderData;
      threads.push(
        await startThread({
          file: threadFile(import.meta.url, 'folder'),
          name: 'folder',
          data: own,
          ports: [own.writer, port2],
          limits: LARGE,
          onReport: report => {
            if (report.kind === 'stopped' || report.kind === 'trouble') onReport(report);
          },
          onEnded,
        }),
      );
    }
    return { close };
  } catch (error) {
    await close();
    throw error;
  }
};
