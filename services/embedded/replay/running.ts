import type { Positions } from '../../core/ports.ts';
import type { Thread } from '../threads/start-thread.ts';
import type { ThreadMessage } from '../threads/thread-data.ts';

/** A generation that serves, or may soon: it has a projector of its own that follows the log. */
export interface Running {
  number: number;
  version: string;
  /** Written by another release: it is read as it is and has no projector. */
  isFrozen: boolean;
  positions(): Positions;
  /** Why its projector has stopped for good. */
  stopped(): string | undefined;
  /** Why it makes no progress: it has stopped, or retries the same step. */
  failure(): string | undefined;
  /** See `Follower.hold`. Rejects when the generation fails, or takes longer than it may. */
  hold(at?: Positions): Promise<Positions>;
  resume(): void;
  close(): Promise<void>;
}

/** A step that is retried for this long counts as a failure. */
const TROUBLED_MS = 5_000;
/** A step and what it waits for take less. */
const HOLD_WITHIN_MS = 20_000;

export interface RunningOptions {
  number: number;
  version: string;
  start: (onMessage: (message: ThreadMessage) => void) => Promise<Thread>;
  /** Each message of its projector, after `Running` reflects it. */
  onMessage: (message: ThreadMessage) => void;
}

/** Resolves when its projector runs; rejects when it can't start. */
export const startRunning = async ({
  number,
  version,
  start,
  onMessage,
}: RunningOptions): Promise<Running> => {
  let positions: Positions = {};
  let stopped: string | undefined;
  let trouble: { message: string; since: number } | undefined;
  let held: { resolve: (positions: Positions) => void; reject: (error: Error) => void } | undefined;

  const receive = (message: ThreadMessage): void => {
    switch (message.kind) {
      case 'ready':
        positions = message.positions;
        break;
      case 'progress':
        positions = { ...positions, ...message.positions };
        trouble = undefined;
        break;
      case 'held':
        held?.resolve(message.positions);
        break;
      case 'trouble':
        trouble = { message: message.message, since: trouble?.since ?? performance.now() };
        break;
      case 'stopped':
        stopped = message.reason;
        held?.reject(new Error(stopped));
        break;
    }
    onMessage(message);
  };
  const thread = await start(receive);

  return {
    number,
    version,
    isFrozen: false,
    positions: () => positions,
    stopped: () => stopped,
    failure: () =>
      stopped ?? (trouble && performance.now() - trouble.since >= TROUBLED_MS ? trouble.message : undefined),
    hold: at =>
      new Promise((resolve, reject) => {
        if (stopped !== undefined) return reject(new Error(stopped));
        const timer = setTimeout(
          () => reject(new Error(`generation ${number} does not come to rest`)),
          HOLD_WITHIN_MS,
        );
        held = {
          resolve: reached => {
            clearTimeout(timer);
            held = undefined;
            resolve(reached);
          },
          reject: error => {
            clearTimeout(timer);
            held = undefined;
            reject(error);
          },
        };
        thread.send({ hold: at });
      }),
    resume: () => thread.send('resume'),
    close: thread.close,
  };
};

/** One that another release wrote. */
export const frozen = (number: number, version: string, positions: Positions): Running => ({
  number,
  version,
  isFrozen: true,
  positions: () => positions,
  stopped: () => undefined,
  failure: () => undefined,
  hold: async () => positions,
  resume: () => {},
  close: async () => {},
});
