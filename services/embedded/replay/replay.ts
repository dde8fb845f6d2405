import type { ReplayMessage } from '../../../core/operator/replay-messages.ts';
import type { Generations } from '../../../core/ports/projection/generations.ts';
import type { Log } from '../../../core/watch/logger.ts';
import { replayRuns } from '../../operations/generations/conflicts.ts';
import type { Replayed } from '../../operations/generations/generation-calls.ts';
import { replayGeneration } from '../../operations/generations/replay-generation.ts';
import { type FolderPorts, makeFolderGenerations } from './folder-generations.ts';
import { makeStream, type Stream } from './stream.ts';

export interface ReplayPorts extends FolderPorts {
  logger: Log;
}

export interface Replays {
  generations: Generations;
  /**
   * Throws `conflict` while another replay runs, but follows one that the service began by itself. When
   * `signal` is aborted its own replay stops, and the next one continues there.
   */
  replay: NonNullable<Replayed['replay']>;
  /**
   * Replays, without an operator's call, until the serving generation is one of this release and undamaged.
   */
  runByItself(): void;
  /** Removes what an interrupted replay built; the next one starts from the beginning. */
  dropUnfinished(): void;
  /** A progress line for people; undefined when no replay runs. */
  status(): string | undefined;
  close(): Promise<void>;
}

/** Back-off between two replays that nobody called. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

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
  let pauseMs = FIRST_PAUSE_MS;
  let again: NodeJS.Timeout | undefined;

  const runByItself = (): void => {
    clearTimeout(again);
    if (closed || job || !ports.generations.serving().isFrozen) return;
    start(undefined, true);
  };

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
        if (closed || !ports.generations.serving().isFrozen) {
          pauseMs = FIRST_PAUSE_MS;
          return;
        }
        // A failed disk, for example. Calls may be refused until it succeeds.
        again = setTimeout(runByItself, pauseMs).unref();
        pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
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
    runByItself,
    dropUnfinished: () => {
      const { building } = files.names();
      if (job || building === null) return;
      files.write({ building: null });
      files.remove(building);
    },
    status: () => job && `generation ${files.names().building ?? ''} is built: ${job.status}`,
    close: async () => {
      closed = true;
      clearTimeout(again);
      job?.abort.abort();
      await job?.done;
    },
  };
};
