/**
 * A consumer of the log beside the projector: what it is, and how it runs, on a log that one process has to itself and on
 * one that many share. `consumers.ts` lists them.
 */
import type { Role } from '../../schemas/config.ts';
import type { Decode } from '../core/log/events.ts';
import { type Follower, follow, positionAfter, type Records } from '../core/log/follow.ts';
import type {
  Chat,
  Consumer,
  KeyStore,
  NewRecord,
  PolledLog,
  Positions,
  SharedLog,
  Topic,
} from '../core/ports.ts';
import type { Gauge } from '../core/watch/gauges.ts';
import type { Progress } from './progress.ts';
import { type Report, troubleOf } from './report.ts';

/** Records a step, unless the consumer wants fewer: their events share an append. */
const STEP = 128;

export interface ConsumerDefinition {
  /** Its role; its group in the log, its thread, its probe and its metrics have the name, too. */
  name: Exclude<Role, 'all' | 'api' | 'projector'>;
  topics: readonly Topic[];
  /** What the metric of its events counts, for people. */
  counts: string;
  /** Metrics beside those of every consumer. */
  gauges?(progress: Progress): Gauge[];
  /** Called where it runs; what only a running one needs is imported here. */
  open(ports: ConsumerPorts): Promise<ConsumerStep>;
}

/** A consumer as a process watches it, whether or not it runs there. */
export interface WatchedConsumer {
  definition: ConsumerDefinition;
  /** In this process. */
  progress: Progress;
  /** Next offsets, of all processes together. */
  positions: () => Positions | Promise<Positions>;
}

export interface ConsumerPorts {
  keys: Pick<KeyStore, 'byId'>;
  decode: Decode;
  openChat: (options: { baseUrl: string; apiKey: string | undefined }) => Chat;
  /** Unix milliseconds. */
  clock: () => number;
  report: (report: Report) => void;
}

export interface ConsumerStep {
  /** Most records a call. */
  atOnce?: number | undefined;
  /**
   * Handles records of one partition, in their order. They come again when it rejects, and after a crash. When `signal`
   * is aborted it may reject.
   */
  handle(records: Records, signal: AbortSignal): Promise<Handled>;
}

export interface Handled {
  /** Events to append before the checkpoint. */
  append: readonly NewRecord[];
  /** Counted in its metric. */
  events: number;
}

export interface OwnLogPorts extends ConsumerPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;
  /** Lets work go first that somebody waits for: resolves when the next step may begin. */
  pace: (stepMs: number) => Promise<void>;
}

/**
 * fetch → handle → append → checkpoint, for a log that this process has to itself: the events and the group's new position
 * are one append. While one append is made durable the next is prepared; it is sent when that one is durable, so that no
 * record is skipped.
 */
export const startConsumer = async (
  { name, topics, open }: ConsumerDefinition,
  ports: OwnLogPorts,
): Promise<Pick<Follower, 'close'>> => {
  const { log, pace, report } = ports;
  const { atOnce = STEP, handle } = await open(ports);
  let appending: Promise<void> = Promise.resolve();

  const append = async ({ append, events }: Handled, records: Records): Promise<void> => {
    const positions = positionAfter(records);
    await log.append(append, { group: name, positions });
    report({ kind: 'progress', positions, events });
  };

  return follow({
    log,
    topics,
    pageSize: Math.min(atOnce, STEP),
    positions: () => log.committed(name),
    step: async (records, signal) => {
      const started = performance.now();
      const handled = await handle(records, signal);
      await appending;
      appending = append(handled, records);
      // Whoever awaits it next sees the fault.
      appending.catch(() => {});
      await pace(performance.now() - started);
      return 'next';
    },
    drain: async () => {
      const last = appending;
      // A fault is reported once: after it the log says where to begin again.
      appending = last.catch(() => {});
      await last;
    },
    onTrouble: error => report(troubleOf(error)),
  });
};

export interface SharedLogPorts extends ConsumerPorts {
  log: Pick<SharedLog, 'append' | 'consume'>;
}

/**
 * fetch → handle → append → commit, as one of a group. Records may be handled twice, so what is appended for one must have
 * one id: the first copy in the log stands.
 */
export const joinConsumers = async (
  { name, topics, open }: ConsumerDefinition,
  ports: SharedLogPorts,
): Promise<Consumer> => {
  const { log, report } = ports;
  const { atOnce, handle } = await open(ports);
  return log.consume({
    group: name,
    topics,
    atOnce,
    onTrouble: error => report(troubleOf(error)),
    handle: async ([first, ...rest], signal) => {
      if (!first) return;
      const records: Records = [first, ...rest];
      const { append, events } = await handle(records, signal);
      if (append.length > 0) await log.append(append);
      report({ kind: 'progress', positions: positionAfter(records), events });
    },
  });
};
