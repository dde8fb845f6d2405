import { setTimeout as pause } from 'node:timers/promises';
import type { LogRecord, PolledLog, Positions, Topic } from '../ports.ts';
import { eventsIn } from './events.ts';
import { parsePartition, partitionName } from './positions.ts';
import { pagesOf } from './read.ts';

/** Back-off after a fault; it doubles from the first pause to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/**
 * From the begin of a pass that reads the log to its end to the next one: records that come meanwhile share a
 * step and its commit. A record that comes after a silence is read at once.
 */
const GATHER_MS = 10;

export type Records = readonly [LogRecord, ...LogRecord[]];

export interface FollowOptions {
  log: Pick<PolledLog, 'read' | 'ends' | 'onAppend'>;
  /** A topic is read to its end before the next one, so the topics that callers wait for come first. */
  topics: readonly Topic[];
  /** The most records per step, which is a page of the log, so its bytes are bounded too. */
  pageSize: number;
  /** The most events per step, unless a single record has more. */
  mostEvents?: number | undefined;
  /** The most records of a step that begins at this offset, if fewer. */
  most?: (partition: string, offset: number) => number;
  /** The positions to start at, and to restart at after a fault. */
  positions: () => Promise<Positions>;
  /** Handles records of one partition, in order. `stop` ends the follower for good. */
  step: (records: Records, signal: AbortSignal) => Promise<'next' | 'stop'>;
  /** Awaited before the follower sleeps, restarts or ends; completes what a step left in flight. */
  drain?: () => Promise<void>;
  /** Called with each fault that is retried. */
  onTrouble: (error: unknown) => void;
}

export interface Follower {
  /**
   * Reads up to these positions and no further until `resume`; by default it stops where it is. Resolves with
   * its positions when it has reached them.
   */
  hold(at?: Positions): Promise<Positions>;
  resume(): void;
  /** Finishes the current step; `signal` is aborted, so that a step that waits for others can give up. */
  close(): Promise<void>;
}

/**
 * The only loop over a log that this process owns: wake → read → step → retry. The follower's store commits a
 * step's effects and the positions after it together, so a crash at any point repeats a whole step or
 * nothing.
 */
export const follow = (options: FollowOptions): Follower => {
  const { log, drain = async () => {}, onTrouble } = options;
  const closed = new AbortController();
  const { signal } = closed;
  let wake: (() => void) | undefined;
  let held: { at: Positions; reached: (positions: Positions) => void } | undefined;
  const stopListening = log.onAppend(() => wake?.());
  const pass = makePass(options, signal, () => held?.at);

  const run = async (): Promise<void> => {
    let names: string[] | undefined;
    let positions: Positions | undefined;
    let pauseMs = FIRST_PAUSE_MS;
    while (!signal.aborted) {
      const beganAt = performance.now();
      // Listen before reading, so that an append during the pass isn't missed.
      const appended = new Promise<void>(resolve => (wake = resolve));
      try {
        names ??= Object.keys(await log.ends());
        positions ??= { ...(await options.positions()) };
        const outcome = await pass(names, positions);
        if (outcome === 'stop') return;
        pauseMs = FIRST_PAUSE_MS;
        // Let messages from other threads arrive between two passes: nothing else here yields to the event
        // loop.
        await new Promise<void>(resolve => setImmediate(resolve));
        if (outcome === 'more') continue;
        if (outcome === 'end') {
          await drain();
          if (signal.aborted) return;
          held?.reached({ ...positions });
          await appended;
        }
        const restMs = beganAt + GATHER_MS - performance.now();
        if (restMs > 0) await new Promise(resolve => setTimeout(resolve, restMs));
      } catch (error) {
        if (signal.aborted) return;
        onTrouble(error);
        await drain().catch(() => {});
        positions = undefined;
        await pause(pauseMs, undefined, { signal }).catch(() => {});
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      }
    }
  };

  const running = run().finally(() => drain().catch(() => {}));
  return {
    hold: (at = {}) =>
      new Promise(reached => {
        held = { at, reached };
        wake?.();
      }),
    resume: () => {
      held = undefined;
      wake?.();
    },
    close: async () => {
      closed.abort();
      stopListening();
      wake?.();
      await running;
    },
  };
};

const eventsOf = ({ value }: LogRecord): number => eventsIn(value);

/** `more`: a step was full, so there may be more; `some`: there were records, and all were read. */
type Outcome = 'more' | 'some' | 'end' | 'stop';

/**
 * Runs one step over each partition of the first topic that has records; advances `positions`. A failed step
 * is repeated with half of its records, which need less memory and a smaller request; later steps grow again.
 * `heldAt`: the positions to stop at while the follower is held.
 */
const makePass = (
  { log, topics, pageSize, mostEvents, most: mostAt = () => pageSize, step }: FollowOptions,
  signal: AbortSignal,
  heldAt: () => Positions | undefined,
): ((names: readonly string[], positions: Positions) => Promise<Outcome>) => {
  let size = pageSize;

  const attempt = async (records: Records): ReturnType<FollowOptions['step']> => {
    try {
      const outcome = await step(records, signal);
      size = Math.min(pageSize, size * 2);
      return outcome;
    } catch (error) {
      size = Math.ceil(records.length / 2);
      throw error;
    }
  };

  const advance = async (name: string, positions: Positions): Promise<Outcome> => {
    const { topic, partition } = parsePartition(name);
    const from = positions[name] ?? 0;
    const held = heldAt();
    const left = held ? (held[name] ?? 0) - from : size;
    const most = Math.min(size, mostAt(name, from), left);
    if (most <= 0) return 'end';
    const limits = mostEvents === undefined ? [] : [{ most: mostEvents, of: eventsOf }];
    const read = await log.read(topic, partition, from, most);
    const [records] = pagesOf(read, ...limits);
    if (!records) return 'end';
    if ((await attempt(records)) === 'stop') return 'stop';
    positions[name] = records.at(-1)!.offset + 1;
    return read.length < most && records.length === read.length ? 'some' : 'more';
  };

  const passTopic = async (names: readonly string[], positions: Positions): Promise<Outcome> => {
    const outcomes = new Set<Outcome>();
    for (const name of names) {
      if (signal.aborted) break;
      outcomes.add(await advance(name, positions));
      if (outcomes.has('stop')) break;
    }
    return (['stop', 'more', 'some'] as const).find(one => outcomes.has(one)) ?? 'end';
  };

  return async (names, positions) => {
    for (const topic of topics) {
      const ofTopic = names.filter(name => parsePartition(name).topic === topic);
      const outcome = await passTopic(ofTopic, positions);
      if (outcome !== 'end') return outcome;
    }
    return 'end';
  };
};

/** Returns the position after these records. */
export const positionAfter = (records: Records): Positions => {
  const last = records.at(-1)!;
  return { [partitionName(last)]: last.offset + 1 };
};
