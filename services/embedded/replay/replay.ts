import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../core/errors.ts';
import { eventsBehind, eventsUntil } from '../../core/log/positions.ts';
import type { EventLog, GenerationFiles, Positions } from '../../core/ports.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { ReplayMessage } from '../../operations/operator/generations.ts';
import type { Build } from '../threads/build.ts';
import type { ThreadMessage } from '../threads/thread-data.ts';
import type { Generations } from './generations.ts';
import type { Running } from './running.ts';
import { makeStream, type Stream } from './stream.ts';

export interface Verification {
  rows: number;
  differences: number;
}

export interface ReplayPorts {
  files: GenerationFiles;
  log: Pick<EventLog, 'ends'>;
  logger: Log;
  generations: Generations;
  startBuild(
    options: { projections: string; throttle: number | undefined },
    onMessage: (message: ThreadMessage) => void,
  ): Promise<Build>;
  /** Whether a generation that has caught up holds what the log says. */
  verify(next: Running, signal: AbortSignal): Promise<Verification>;
}

export interface ReplayOptions {
  /** Events a second. */
  throttle: number | undefined;
}

export interface Replays {
  plan(dryRun: boolean): Promise<Extract<ReplayMessage, { kind: 'plan' }>>;
  /**
   * Throws `conflict` while another one runs; one that the service began by itself is followed. When `signal` is
   * aborted it stops, and the next one goes on from there.
   */
  run(options: ReplayOptions, signal: AbortSignal): AsyncGenerator<ReplayMessage>;
  /** After an upgrade: begins without being asked. */
  runByItself(): void;
  /** Throws away what a replay built that is not under way: the next one begins anew. */
  dropUnfinished(): void;
  /** For people: how far it is. */
  word(): string | undefined;
  close(): Promise<void>;
}

/** Behind by no more than this a generation has a projector like any other's. */
const BUILT_BEHIND = 2_000;
/** Behind by no more than this the serving one is held until it has come: well below a second's work. */
const READY_BEHIND = 2_000;
const LOOK_EVERY_MS = 100;
const TELL_EVERY_MS = 500;
/** The rate is that of the last few seconds. */
const RATE_OVER_MS = 5_000;

interface Job {
  isAutomatic: boolean;
  stream: Stream<ReplayMessage>;
  done: Promise<void>;
  abort: AbortController;
  word: string;
}

/** Events a second, and what is left at that rate, from samples of the last seconds. */
export const makeRate = (clock: () => number) => {
  const samples: { at: number; events: number }[] = [];
  return (events: number, total: number): { eventsPerSecond: number; secondsLeft: number | null } => {
    const at = clock();
    samples.push({ at, events });
    while (samples.length > 2 && at - samples[0]!.at > RATE_OVER_MS) samples.shift();
    const first = samples[0]!;
    const rate = at > first.at ? ((events - first.events) * 1_000) / (at - first.at) : 0;
    return {
      eventsPerSecond: Math.round(rate),
      secondsLeft: rate > 0 ? Math.ceil((total - events) / rate) : null,
    };
  };
};

/** Builds a generation from the log's first event on, beside the one that serves, and promotes it. */
export const makeReplays = (ports: ReplayPorts): Replays => {
  const { files, log, logger, generations } = ports;
  let job: Job | undefined;
  let closed = false;

  const plan: Replays['plan'] = async dryRun => {
    const { building, last, serving } = files.names();
    const about = building === null ? undefined : files.about(building);
    const ends = await log.ends();
    return {
      kind: 'plan',
      generation: {
        projection: 'all',
        number: building ?? last + 1,
        version: files.version,
        state: 'building',
      },
      events: eventsBehind(about?.positions ?? {}, ends),
      bytes: files.bytes(serving),
      resumed: about !== undefined,
      dryRun,
    };
  };

  /** Says how it goes on until the generation is no further behind than `most`. */
  const until = async (
    { positions, failure, most, phase, rate }: Watched,
    say: (message: ReplayMessage) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    for (let told = Number.NEGATIVE_INFINITY; ; ) {
      signal.throwIfAborted();
      const fault = failure();
      if (fault !== undefined) throw new Error(fault);
      const ends = await log.ends();
      const total = eventsUntil(ends);
      const behind = eventsBehind(positions(), ends);
      const isDone = behind <= most;
      if (isDone || performance.now() - told >= TELL_EVERY_MS) {
        told = performance.now();
        const events = total - behind;
        say({ kind: 'progress', phase, events, total, ...rate(events, total) });
      }
      if (isDone) return;
      await wait(LOOK_EVERY_MS, undefined, { signal });
    }
  };

  const build = async (
    number: number,
    { throttle }: ReplayOptions,
    rate: Rate,
    say: (message: ReplayMessage) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    let positions: Positions = {};
    let failure: string | undefined;
    const built = await ports.startBuild({ projections: files.path(number), throttle }, message => {
      if (message.kind === 'ready') positions = message.positions;
      if (message.kind === 'progress') positions = { ...positions, ...message.positions };
      if (message.kind === 'stopped' || message.kind === 'trouble')
        failure = message.kind === 'stopped' ? message.reason : message.message;
      else generations.buildingIsAt(number, positions);
    });
    try {
      const watched: Watched = {
        positions: () => positions,
        failure: () => failure,
        // What is left is read at full speed: of a throttled build no more than a second's share.
        most: Math.min(BUILT_BEHIND, throttle ?? BUILT_BEHIND),
        phase: 'building',
        rate,
      };
      await until(watched, say, signal);
    } finally {
      await built.close();
    }
  };

  const replay = async (
    options: ReplayOptions,
    say: (message: ReplayMessage) => void,
    signal: AbortSignal,
  ): Promise<void> => {
    const started = performance.now();
    const planned = await plan(false);
    const { number } = planned.generation;
    files.write({ last: number, building: number });
    say(planned);
    let next: Running | undefined;
    try {
      const rate = makeRate(() => performance.now());
      await build(number, options, rate, say, signal);
      next = await generations.startBuilding(number);
      const { positions, failure } = next;
      const watched: Watched = { positions, failure, most: READY_BEHIND, phase: 'catching up', rate };
      await until(watched, say, signal);
      const total = eventsUntil(await log.ends());
      say({
        kind: 'progress',
        phase: 'verifying',
        events: total,
        total,
        eventsPerSecond: 0,
        secondsLeft: null,
      });
      const { rows, differences } = await ports.verify(next, signal);
      say({ kind: 'verified', rows, differences });
      if (differences > 0) throw new Error(`verifying it found ${differences} differences`);
      signal.throwIfAborted();
      await until(watched, () => {}, signal);
      await generations.promote(next);
      const standby = files.names().standby;
      const seconds = (performance.now() - started) / 1_000;
      say({ kind: 'promoted', generation: number, standby, seconds });
    } catch (error) {
      if (next && generations.serving().number !== number) await next.close();
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : 'unknown fault';
      if (generations.serving().number !== number) await generations.drop(number, reason);
      throw new ServiceError('conflict', `Generation ${number} was not promoted: ${reason}`, {
        cause: error,
      });
    }
  };

  const start = (options: ReplayOptions, isAutomatic: boolean): Job => {
    const abort = new AbortController();
    const stream = makeStream<ReplayMessage>();
    const started: Job = { isAutomatic, stream, abort, done: Promise.resolve(), word: 'begins' };
    const say = (message: ReplayMessage): void => {
      if (message.kind === 'progress') {
        const share = message.total === 0 ? 100 : Math.floor((100 * message.events) / message.total);
        started.word = `${message.phase}, ${share} %`;
      } else {
        logger.info(message, 'replay');
      }
      stream.say(message);
    };
    started.done = replay(options, say, abort.signal).then(
      () => stream.end(),
      error => stream.end(error),
    );
    job = started;
    started.done.finally(() => {
      if (job === started) job = undefined;
    });
    return started;
  };

  return {
    plan,
    run: async function* (options, signal) {
      if (job && !job.isAutomatic)
        throw new ServiceError(
          'conflict',
          'A replay is running already: `turnstone generations` says how far it is.',
        );
      const isOwn = job === undefined;
      const followed = job ?? start(options, false);
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
      if (!job && !closed) start({ throttle: undefined }, true);
    },
    dropUnfinished: () => {
      const { building } = files.names();
      if (job || building === null) return;
      files.write({ building: null });
      files.remove(building);
    },
    word: () => job && `generation ${files.names().building ?? ''} is built: ${job.word}`,
    close: async () => {
      closed = true;
      job?.abort.abort();
      await job?.done;
    },
  };
};

type Rate = ReturnType<typeof makeRate>;

interface Watched {
  positions: () => Positions;
  failure: () => string | undefined;
  most: number;
  phase: 'building' | 'catching up';
  rate: Rate;
}
