/**
 * A consumer of the log beside the projector: its definition, and how it runs on a log of one process and on
 * a log that many processes share. `consumers.ts` lists the consumers.
 */

import { type Decode, openKeysOf } from '../../core/log/events.ts';
import { type Follower, follow, positionAfter, type Records } from '../../core/log/follow.ts';
import type {
  Chat,
  Consumer,
  Embed,
  KeyStore,
  LogRecord,
  NewRecord,
  PolledLog,
  Positions,
  SharedLog,
  Topic,
} from '../../core/ports.ts';
import { type ConsumedStep, instant } from '../../core/tracing/stages.ts';
import type { Gauge } from '../../core/watch/gauges.ts';
import type { EmbeddingsConfig, Role } from '../../schemas/config.ts';
import { NO_GUARD, type StepGuard } from './deadly-steps.ts';
import type { Progress } from './progress.ts';
import { deadLetter, type Poison, poisonKind } from './projector/poison.ts';
import { type Report, troubleOf } from './report.ts';

/** Records per step, unless the consumer wants fewer events: what is made of them shares an append. */
const STEP = 32;

export interface ConsumerDefinition {
  /** The role that runs it. */
  role: Exclude<Role, 'all' | 'api' | 'projector'>;
  /** The name of its thread, its probe and its metrics. */
  name: string;
  /** The name of its group in the log, which has its positions. */
  group: string;
  topics: readonly Topic[];
  /** The help text of its event metric. */
  counts: string;
  /** Metrics beside those of every consumer. */
  gauges?(progress: Progress): Gauge[];
  /** Called only where the consumer runs, so it imports what only a running consumer needs. */
  open(ports: ConsumerPorts): Promise<ConsumerStep>;
}

/** A consumer as a process monitors it, whether or not it runs there. */
export interface WatchedConsumer {
  definition: ConsumerDefinition;
  /** Its progress in this process. */
  progress: Progress;
  /** Next offsets, of all processes together. */
  positions: () => Positions | Promise<Positions>;
}

export interface ConsumerPorts {
  keys: Pick<KeyStore, 'byId'>;
  decode: Decode;
  openChat: (options: { baseUrl: string; apiKey: string | undefined }) => Chat;
  openEmbeddings: (options: EmbeddingsConfig) => Embed;
  /** Unix milliseconds. */
  clock: () => number;
  report: (report: Report) => void;
}

export interface ConsumerStep {
  /** The most events per call, unless a single record has more. */
  atOnce?: number | undefined;
  /**
   * Handles records of one partition, in their order. They are delivered again when it rejects, and after a
   * crash. It may reject when `signal` is aborted.
   */
  handle(records: Records, signal: AbortSignal): Promise<Handled>;
}

export interface Handled {
  /** Events to append before the checkpoint. */
  append: readonly NewRecord[];
  /** The number of events that its metric counts. */
  events: number;
  /** The `traceparent` of the requests whose records were handled, where their spans are exported. */
  links?: readonly string[];
}

const NOTHING_HANDLED: Handled = { append: [], events: 0 };

/**
 * The poison of a record that ended a consumer's thread, alone, more than once: this consumer passes it over.
 */
const DEADLY: Poison = { kind: 'poison', step: 'extract', reason: 'EndsTheConsumer' };

export interface OwnLogPorts extends ConsumerPorts {
  log: Pick<PolledLog, 'read' | 'ends' | 'append' | 'committed' | 'onAppend'>;
  /** Finds the records that end its thread. */
  guard?: StepGuard;
  /** Gives priority to work that callers wait for: resolves when the next step may begin. */
  pace: (stepMs: number) => Promise<void>;
}

/**
 * fetch → handle → append → checkpoint, for a log of this process only: the events and the group's new
 * position are one append. The next append is prepared while the previous one becomes durable, but is sent
 * only after that, so that no record is skipped.
 */
export const startConsumer = async (
  { name, group, topics, open }: ConsumerDefinition,
  ports: OwnLogPorts,
): Promise<Pick<Follower, 'close'>> => {
  const { log, pace, report, guard = NO_GUARD } = ports;
  const { atOnce, handle } = await open(ports);
  let appending: Promise<void> = Promise.resolve();

  const append = async (
    handled: Handled,
    records: Records,
    dead: readonly LogRecord[],
    began: number,
  ): Promise<void> => {
    const positions = positionAfter(records);
    const letters = dead.map(record => deadLetter(record, DEADLY));
    await log.append([...handled.append, ...letters], { group, positions });
    const { events } = handled;
    const step = stepOf(name, handled, records, began);
    if (dead.length === 0) report({ kind: 'progress', positions, events, step });
    else
      report({ kind: 'progress', positions, events, deadLetters: dead.length, kinds: [poisonKind(DEADLY)] });
  };

  return follow({
    log,
    topics,
    pageSize: Math.min(atOnce ?? STEP, STEP),
    mostEvents: atOnce,
    most: guard.most,
    positions: () => log.committed(group),
    step: async (records, signal) => {
      const started = performance.now();
      const began = instant();
      const isDeadly = guard.begin(records);
      // It may wait for others from here on, so an end of the process is not blamed on it.
      guard.computed();
      const handled = isDeadly ? NOTHING_HANDLED : await handle(records, signal);
      await appending;
      appending = append(handled, records, isDeadly ? records : [], began);
      // The next await of `appending` gets the error.
      appending.catch(() => {});
      await pace(performance.now() - started);
      return 'next';
    },
    drain: async () => {
      const last = appending;
      // An error is reported once; after it, the committed position determines where to resume.
      appending = last.catch(() => {});
      await last;
    },
    onTrouble: error => report(troubleOf(error)),
  });
};

/** The step for its span; undefined where no request is linked to it. */
const stepOf = (
  name: string,
  { links = [] }: Handled,
  records: Records,
  began: number,
): ConsumedStep | undefined => {
  if (links.length === 0) return undefined;
  const { topic, partition } = records[0];
  return { name, topic, partition, records: records.length, links, stages: [], began, ended: instant() };
};

export interface SharedLogPorts extends ConsumerPorts {
  log: Pick<SharedLog, 'append' | 'consume'>;
}

/**
 * fetch → handle → append → commit, as one of a group. Records may be handled twice, so the event appended
 * for a record must always have the same id: the first copy in the log counts.
 */
export const joinConsumers = async (
  { name, group, topics, open }: ConsumerDefinition,
  ports: SharedLogPorts,
): Promise<Consumer> => {
  const { log, keys, report } = ports;
  const { atOnce, handle } = await open(ports);
  return log.consume({
    group,
    topics,
    atOnce,
    onTrouble: error => report(troubleOf(error)),
    handle: async ([first, ...rest], signal) => {
      if (!first) return;
      const records: Records = [first, ...rest];
      await openKeysOf(keys, records);
      const began = instant();
      const handled = await handle(records, signal);
      if (handled.append.length > 0) await log.append(handled.append);
      const step = stepOf(name, handled, records, began);
      report({ kind: 'progress', positions: positionAfter(records), events: handled.events, step });
    },
  });
};
