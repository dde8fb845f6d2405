import type { Generations } from '../../core/ports/generations.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { Replayed } from '../../operations/generations/calls.ts';
import { replayRuns } from '../../operations/generations/conflicts.ts';
import { replayGeneration } from '../../operations/generations/replay.ts';
import type { ReplayMessage } from '../../operations/operator/generations.ts';
import { type FolderPorts, makeFolderGenerations } from './folder-generations.ts';
import { makeStream, type Stream } from './stream.ts';

export interface ReplayPorts extends FolderPorts {
  logger: Log;
}

export interface Replays {
  generations: Generations;
  /**
   * Throws `conflict` while another replay runs, but follows one that the service began by itself. When `signal` is
   * aborted its own replay stops, and the next one continues there.
   */
  replay: NonNullable<Replayed['replay']>;
  /** Starts a replay without an operator's call, after an upgrade. */
  runByItself(): void;
  /** Removes what an interrupted replay built; the next one starts from the beginning. */
  dropUnfinished(): void;
  /** A progress line for people; undefined when no replay runs. */
  status(): string | undefined;
  close(): Promise<void>;
}

interface Job {
  isAutomatic: boolean;
  stream: Stream<ReplayMessage>;
  done: Promise<void>;
  abort: AbortController;
  status: string;
}

/** The replays of a data folder, one at a time. */
export const makeReplays = (ports: ReplayPorts): Replays => {
  const { files, logger } = ports;
  const generations = makeFolderGenerations(ports);
  let job: Job | undefined;
  let closed = false;

  const start = (throttle: number | undefined, isAutomatic: boolean): Job => {
    const abort = new AbortController();
    const stream = makeStream<ReplayMessage>();
    const started: Job = { isAutomatic, stream, abort, done: Promise.resolve(), status: 'begins' };
    const report = (message: ReplayMessage): void => {
      if (message.kind === 'progress') {
        const share = message.total === 0 ? 100 : Math.floor((100 * message.events) / message.total);
        started.status = `${message.phase}, ${share} %`;
      } else {
        logger.info(message, 'replay');
      }
      stream.push(message);
    };
    const run = async (): Promise<void> => {
      for await (const message of replayGeneration(generations, { throttle }, abort.signal)) report(message);
    };
    job = started;
    started.done = run()
      .then(
        () => stream.end(),
        error => stream.end(error),
      )
      .finally(() => {
        if (job === started) job = undefined;
      });
    return started;
  };

  return {
    generations,
    replay: async function* ({ throttle }, signal) {
      if (job && !job.isAutomatic) throw replayRuns('all');
      const isOwn = job === undefined;
      const followed = job ?? start(throttle, false);
      try {
        yield* followed.stream.follow(signal);
      } finally {
        if (isOwn) {
          followed.abort.abort();
          await followed.done;
        }
      }
    },
    runByItself: () => {
      if (!job && !closed) start(undefined, true);
    },
    dropUnfinished: () => {
      const { building } = files.names();
      if (job || building === null) return;
      files.write({ building: null });
      files.remove(building);
    },
    status: () => job && `generation ${files.names().building ?? ''} is built: ${job.status}`,
    close: async () => {
      closed = true;
      job?.abort.abort();
      await job?.done;
    },
  };
};
