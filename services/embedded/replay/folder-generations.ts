import { setTimeout as wait } from 'node:timers/promises';
import { eventsBehind, eventsUntil } from '../../../core/log/positions.ts';
import type {
  Generations,
  Replay,
  ReplayPlan,
  ReplayProgress,
  Verification,
} from '../../../core/ports/projection/generations.ts';
import type { EventLog, GenerationFiles, Positions } from '../../../core/ports.ts';
import type { Build } from '../threads/replay/start-build.ts';
import type { ThreadMessage } from '../threads/thread-data.ts';
import type { RunningGenerations } from './generations.ts';
import type { Running } from './running.ts';
import type { SwitchedReaders } from './switch.ts';

export interface FolderPorts {
  files: GenerationFiles;
  log: Pick<EventLog, 'ends'>;
  generations: RunningGenerations;
  readers: SwitchedReaders;
  startBuild(
    options: { projections: string; throttle: number | undefined },
    onMessage: (message: ThreadMessage) => void,
  ): Promise<Build>;
  /** Compares a caught-up generation with the log. */
  verify(next: Running, signal: AbortSignal): Promise<Verification>;
}

/** A generation gets its own projector when it is at most this many events behind. */
const BUILT_BEHIND = 2_000;
/**
 * The serving generation is held when the next one is at most this many events behind: well below a second's
 * work.
 */
const READY_BEHIND = 2_000;
const LOOK_EVERY_MS = 100;

interface Watched {
  phase: ReplayProgress['phase'];
  positions: () => Positions;
  failure: () => string | undefined;
  /** The watch ends when it is at most this many events behind. */
  most: number;
}

/** The generations of a data folder: all projections in one file. */
export const makeFolderGenerations = (ports: FolderPorts): Generations => {
  const { generations, readers } = ports;
  return {
    projection: 'all',
    list: generations.list,
    plan: () => planOf(ports),
    begin: ({ throttle }, signal) => beginReplay(ports, throttle, signal),
    rollback: async () => (await generations.rollback(readers)) ?? 'no standby',
    retire: async () => {
      const number = await generations.retire();
      return number === undefined ? [] : [number];
    },
  };
};

const planOf = async ({ files, log }: FolderPorts): Promise<ReplayPlan> => {
  const { building, last, serving } = files.names();
  const about = building === null ? undefined : files.about(building);
  return {
    generation: {
      projection: 'all',
      number: building ?? last + 1,
      version: files.version,
      state: 'building',
    },
    events: eventsBehind(about?.positions ?? {}, await log.ends()),
    bytes: files.bytes(serving),
    resumed: about !== undefined,
  };
};

const beginReplay = async (
  ports: FolderPorts,
  throttle: number | undefined,
  signal: AbortSignal,
): Promise<Replay> => {
  const { files, generations, readers } = ports;
  const plan = await planOf(ports);
  const { number } = plan.generation;
  files.write({ last: number, building: number });
  let next: Running | undefined;
  const catchUp = ({ positions, failure }: Running): AsyncGenerator<ReplayProgress> =>
    watch(ports, { phase: 'catching up', positions, failure, most: READY_BEHIND }, signal);
  return {
    plan,
    isVerified: false,
    build: async function* () {
      yield* fill(ports, number, throttle, signal);
      next = await generations.startBuilding(number, readers);
      yield* catchUp(next);
    },
    verify: () => ports.verify(next!, signal),
    promote: async () => {
      // It fell behind during the verification.
      for await (const _ of catchUp(next!));
      await generations.promote(next!, readers);
      return { standby: files.names().standby };
    },
    end: async outcome => {
      if (outcome === 'promoted' || generations.serving().number === number) return;
      await next?.close();
      if (outcome === 'interrupted') return;
      await generations.drop(number, 'refused' in outcome ? outcome.refused : outcome.failed);
    },
  };
};

/** Fills a generation's file until it has nearly caught up with the log. */
async function* fill(
  ports: FolderPorts,
  number: number,
  throttle: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<ReplayProgress> {
  const { files, generations, readers } = ports;
  let positions: Positions = {};
  let failure: string | undefined;
  const build = await ports.startBuild({ projections: files.path(number), throttle }, message => {
    if (message.kind === 'ready') positions = message.positions;
    if (message.kind === 'progress') positions = { ...positions, ...message.positions };
    if (message.kind === 'stopped' || message.kind === 'trouble')
      failure = message.kind === 'stopped' ? message.reason : message.message;
    else generations.buildingIsAt(number, positions, readers);
  });
  try {
    const watched: Watched = {
      phase: 'building',
      positions: () => positions,
      failure: () => failure,
      // The rest is read at full speed, so a throttled build leaves at most a second's share.
      most: Math.min(BUILT_BEHIND, throttle ?? BUILT_BEHIND),
    };
    yield* watch(ports, watched, signal);
  } finally {
    await build.close();
  }
}

/** Reports a generation's progress until it has nearly caught up; throws when it fails. */
async function* watch(
  { log }: Pick<FolderPorts, 'log'>,
  { phase, positions, failure, most }: Watched,
  signal: AbortSignal,
): AsyncGenerator<ReplayProgress> {
  for (;;) {
    signal.throwIfAborted();
    const fault = failure();
    if (fault !== undefined) throw new Error(fault);
    const ends = await log.ends();
    const total = eventsUntil(ends);
    const behind = eventsBehind(positions(), ends);
    yield { phase, events: total - behind, total };
    if (behind <= most) return;
    await wait(LOOK_EVERY_MS, undefined, { signal });
  }
}
