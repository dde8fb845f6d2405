import type { MessagePort } from 'node:worker_threads';
import { threadFile } from '../../../core/threads/file.ts';
import { sharedTable } from '../../../core/threads/shared-table.ts';
import type { Config } from '../../../schemas/config.ts';
import type { ConsumerDefinition } from '../../workers/consumer.ts';
import type { Report } from '../../workers/report.ts';
import { makeExporter } from './file-exporter.ts';
import { keepThread } from './keep-thread.ts';
import { makeSharedLoad } from './replay/shared-load.ts';
import { startBuild } from './replay/start-build.ts';
import type { Thread } from './start-thread.ts';
import type { ConsumerData, ProjectorData, ThreadData } from './thread-data.ts';
import { type VerifierData, verifyFile } from './verify-file.ts';

const PROJECTOR = threadFile(import.meta.url, 'projector');
const CONSUMER = threadFile(import.meta.url, 'consumer');

export interface ThreadsOptions {
  config: Config;
  clockOffset: number;
  paths: ThreadData['paths'] & { budgets: string };
  sureClock: SharedArrayBuffer;
  /** Opens a new connection to the writer thread. */
  connect: () => MessagePort;
  /** Opens one more connection to a projections' file, until the returned function is called. */
  hold: (projections: string) => () => void;
  /** Aborted when the service closes. */
  signal: AbortSignal;
}

export type Threads = ReturnType<typeof prepareThreads>;

/** Prepares what threads share, and the functions that start them. */
export const prepareThreads = ({
  config,
  clockOffset,
  paths: { log, keys, installationKeys, budgets },
  sureClock,
  connect,
  hold,
  signal: closing,
}: ThreadsOptions) => {
  const table = sharedTable();
  const load = makeSharedLoad();
  const paths = { log, keys, installationKeys };
  const common = { paths, table, clockOffset };
  const data = (): ThreadData => ({ ...common, load, writer: connect(), config });
  return {
    table,
    load,
    startProjector: async (projections: string, onReport: (report: Report) => void): Promise<Thread> => {
      const thread = await keepThread(threadDied => {
        const own = {
          ...data(),
          projections,
          budgets,
          sureClock,
          threadDied,
        } satisfies ProjectorData;
        return { file: PROJECTOR, name: 'projector', data: own, ports: [own.writer] };
      }, onReport);
      // If the thread dies, its connection must not be the last one: closing that would be a checkpoint
      // without new sums.
      const release = hold(projections);
      return { ...thread, close: () => thread.close().finally(release) };
    },
    startConsumer: (name: ConsumerDefinition['name'], onReport: (report: Report) => void) =>
      keepThread(threadDied => {
        const own = { ...data(), name, threadDied } satisfies ConsumerData;
        return { file: CONSUMER, name, data: own, ports: [own.writer] };
      }, onReport),
    startBuild: (
      { projections, throttle }: { projections: string; throttle: number | undefined },
      onReport: (report: Report) => void,
    ) => startBuild({ data, projections, model: config.embeddings?.models[0], throttle }, onReport),
    exporter: makeExporter(() => ({ paths, writer: connect() })),
    verify: (projections: string, options: VerifierData['options'], signal: AbortSignal) =>
      verifyFile(
        { ...common, paths: { ...paths, projections }, writer: connect(), options },
        AbortSignal.any([signal, closing]),
      ),
  };
};
