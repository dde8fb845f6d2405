import { setImmediate } from 'node:timers/promises';
import { makeShares } from '../../../core/fairness/shares.ts';
import type { Positions } from '../../../core/ports.ts';
import type { FeedPosition } from './position.ts';
import type { ReadPage } from './read-page.ts';

/**
 * How long a page is kept for the other streams of its organization: all of them are woken at the same time.
 */
const KEPT_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;
/** Streams that are woken at once: about two milliseconds of work. */
const AT_ONCE = 32;

/** A page, and the bounds up to which it was read, with their version. */
export interface SharedPage extends ReadPage {
  upTo: Positions;
  version: number;
}

/** An organization that has streams in this process. */
export interface Organization {
  /** The version of the last change that may be its own. */
  changedAt(): number;
  /** The version of the change before that one, and the bounds just before `changedAt`. */
  changedBefore(): number;
  from(): FeedPosition;
  /** The page at this position, which is read once for all streams that come to it. */
  page(position: FeedPosition, read: () => Promise<SharedPage>): Promise<SharedPage>;
  /** Resolves when it changes, after `ms`, or when `signal` is aborted. */
  wait(ms: number, signal: AbortSignal, watch: () => void): Promise<void>;
  /** Ends one of its streams. */
  leave(): void;
}

interface State {
  streams: number;
  changedAt: number;
  changedBefore: number;
  from: FeedPosition;
  pages: Map<FeedPosition, Promise<SharedPage>>;
  waiting: Set<() => void>;
}

export interface Listened {
  /** Adds a stream. Throws `rate_limited` or `unavailable` when there are too many. */
  join(org: string, version: number): Organization;
  names(): string[];
  isWaited(): boolean;
  /** All organizations but the silent ones may have changed. Resolves when their streams are woken. */
  changed(silent: ReadonlySet<string>, change: { version: number; before: FeedPosition }): Promise<void>;
  wakeAll(): Promise<void>;
}

/** The organizations with streams. One of them has at most half of the streams of the process. */
export const makeListened = (mostStreams = Number.POSITIVE_INFINITY): Listened => {
  const states = new Map<string, State>();
  const shares = makeShares(mostStreams, 'event streams', RETRY_AFTER_SECONDS);
  let waiting = 0;

  /**
   * Resolves when all are woken: other calls run between some of an organization's thousand streams and the
   * next.
   */
  const wake = async ({ waiting: woken }: State): Promise<void> => {
    let left = AT_ONCE;
    for (const one of [...woken]) {
      one();
      if (--left > 0) continue;
      await setImmediate();
      left = AT_ONCE;
    }
  };

  const pageOf = ({ pages }: State, position: FeedPosition, read: () => Promise<SharedPage>) => {
    const known = pages.get(position);
    if (known) return known;
    const page = read();
    pages.set(position, page);
    page.catch(() => pages.delete(position));
    setTimeout(() => pages.delete(position), KEPT_MS).unref();
    return page;
  };

  // Thousands of streams wait at once: a timer and a listener each, no signal made of signals.
  const wait = (state: State, ms: number, signal: AbortSignal, watch: () => void): Promise<void> =>
    new Promise(resolve => {
      if (signal.aborted) return resolve();
      const end = (): void => {
        if (state.waiting.delete(end)) waiting--;
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      state.waiting.add(end);
      waiting++;
      signal.addEventListener('abort', end);
      watch();
    });

  return {
    join: (org, version) => {
      const giveBack = shares.take(org);
      const state: State = states.get(org) ?? {
        streams: 0,
        changedAt: version,
        changedBefore: version,
        from: {},
        pages: new Map(),
        waiting: new Set(),
      };
      states.set(org, state);
      state.streams++;
      let hasLeft = false;
      return {
        changedAt: () => state.changedAt,
        changedBefore: () => state.changedBefore,
        from: () => state.from,
        page: (position, read) => pageOf(state, position, read),
        wait: (ms, signal, watch) => wait(state, ms, signal, watch),
        leave: () => {
          if (hasLeft) return;
          hasLeft = true;
          giveBack();
          if (--state.streams === 0) states.delete(org);
        },
      };
    },
    names: () => [...states.keys()],
    isWaited: () => waiting > 0,
    changed: async (silent, { version, before }) => {
      const changed = [...states].flatMap(([org, state]) => (silent.has(org) ? [] : [state]));
      for (const state of changed) {
        state.changedBefore = state.changedAt;
        state.changedAt = version;
        state.from = before;
        state.pages = new Map();
      }
      for (const state of changed) await wake(state);
    },
    wakeAll: async () => {
      for (const state of [...states.values()]) await wake(state);
    },
  };
};
