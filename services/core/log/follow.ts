import { setTimeout as pause } from 'node:timers/promises';
import type { LogRecord, PolledLog, Positions, Topic } from '../ports.ts';
import { parsePartition, partitionName } from './positions.ts';

/** Back-off after a fault: it doubles from the first to the longest. */
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export type Records = readonly [LogRecord, ...LogRecord[]];

export interface FollowOptions {
  log: Pick<PolledLog, 'read' | 'ends' | 'onAppend'>;
  /** A topic is read to its end before the next one: what a caller waits for precedes what nobody waits for. */
  topics: readonly Topic[];
  /** Most records a step. */
  pageSize: number;
  /** Where to begin, and where to begin again after a fault. */
  positions: () => Promise<Positions>;
  /** Handles records of one partition, in their order. `stop` ends the follower for good. */
  step: (records: Records, signal: AbortSignal) => Promise<'next' | 'stop'>;
  /** Awaited before it sleeps, begins again or ends: what a step left under way is done then. */
  drain?: () => Promise<void>;
  /** A fault after which it retries. */
  onTrouble: (error: unknown) => void;
}

export interface Follower {
  /**
   * Goes no further than these positions, or than it is, until `resume`. Resolves with its positions when it is there.
   */
  hold(at?: Positions): Promise<Positions>;
  resume(): void;
  /** Finishes the step under way; `signal` is aborted, so that a step that waits for others can give up. */
  close(): Promise<void>;
}

/**
 * The one loop over a log that this process has to itself: wake → read → step → retry. A step's effects and the positions
 * that it returns to belong together in the follower's store, so a crash anywhere repeats a step or nothing.
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
      // Listened for before reading: an append during the pass must not be missed.
      const appended = new Promise<void>(resolve => (wake = resolve));
      try {
        names ??= Object.keys(await log.ends());
        positions ??= { ...(await options.positions()) };
        const outcome = await pass(names, positions);
        if (outcome === 'stop') return;
        pauseMs = FIRST_PAUSE_MS;
        // Messages from other threads are received between two passes: nothing else here yields to the event loop.
        await new Promise<void>(resolve => setImmediate(resolve));
        if (outcome === 'more') continue;
        await drain();
        if (signal.aborted) return;
        held?.reached({ ...positions });
        await appended;
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

type Outcome = 'more' | 'end' | 'stop';

/**
 * One step over each partition of the first topic that has any, which moves `positions`. `heldAt`: where it is to hold, if
 * it is.
 */
const makePass = (
  { log, topics, pageSize, step }: FollowOptions,
  signal: AbortSignal,
  heldAt: () => Positions | undefined,
): ((names: readonly string[], positions: Positions) => Promise<Outcome>) => {
  const advance = async (name: string, positions: Positions): Promise<Outcome> => {
    const { topic, partition } = parsePartition(name);
    const from = positions[name] ?? 0;
    const held = heldAt();
    const most = held ? Math.min(pageSize, (held[name] ?? 0) - from) : pageSize;
    if (most <= 0) return 'end';
    const [first, ...rest] = await log.read(topic, partition, from, most);
    if (!first) return 'end';
    if ((await step([first, ...rest], signal)) === 'stop') return 'stop';
    positions[name] = (rest.at(-1) ?? first).offset + 1;
    return rest.length + 1 === most ? 'more' : 'end';
  };

  const passTopic = async (names: readonly string[], positions: Positions): Promise<Outcome> => {
    let more = false;
    for (const name of names) {
      if (signal.aborted) break;
      const outcome = await advance(name, positions);
      if (outcome === 'stop') return 'stop';
      more ||= outcome === 'more';
    }
    return more ? 'more' : 'end';
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

/** The position behind these records. */
export const positionAfter = (records: Records): Positions => {
  const last = records.at(-1)!;
  return { [partitionName(last)]: last.offset + 1 };
};
