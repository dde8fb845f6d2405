import { MessageChannel } from 'node:worker_threads';
import type { Positions } from '../ports.ts';
import { startThread } from './start-thread.ts';
import type { BuilderData, FolderData, ThreadData, ThreadMessage } from './thread-data.ts';

export interface Build {
  /** Where the file stood when the build began. */
  positions: Positions;
  /** Ends after the batch that is being written; the file then lasts as it is. */
  close(): Promise<void>;
}

/**
 * Fills a generation's file from the log: one thread reads, decodes and folds while another writes. Goes on where the
 * file ends, follows the log until it is closed, and tells of each commit. Rejects when a thread can't start.
 */
export const startBuild = async (
  { data, projections, throttle }: { data: ThreadData; projections: string; throttle: number | undefined },
  onMessage: (message: ThreadMessage) => void,
): Promise<Build> => {
  const { port1, port2 } = new MessageChannel();
  let positions: Positions = {};
  const builder = await startThread(
    'builder',
    { projections, batches: port1 } satisfies BuilderData,
    message => {
      if (message.kind === 'ready') positions = message.positions;
      onMessage(message);
    },
  );
  try {
    const folder = await startThread(
      'folder',
      { ...data, positions, batches: port2, throttle } satisfies FolderData,
      message => {
        if (message.kind === 'stopped' || message.kind === 'trouble') onMessage(message);
      },
    );
    return {
      positions,
      close: async () => {
        await folder.close();
        await builder.close();
      },
    };
  } catch (error) {
    await builder.close();
    throw error;
  }
};
