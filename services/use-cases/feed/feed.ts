import { setTimeout as pause } from 'node:timers/promises';
import { partitionName, partitionsOf } from '../../core/log/positions.ts';
import type { FeedEntry, FeedIndex, FeedPorts, FeedRange, Positions, Scope } from '../../core/ports.ts';
import { makeBounds } from './bounds.ts';
import { FEED_TOPICS, type FeedPosition, type FeedTopic, type Point } from './position.ts';

export interface FeedItem {
  entry: FeedEntry;
  /** Behind it. */
  position: FeedPosition;
}

export interface FeedPage {
  items: FeedItem[];
  /** Behind the page: also where nothing of the scope was met. */
  position: FeedPosition;
  /** There may be more at once. */
  isFull: boolean;
  /** Which picture of the log it was read by, for `more`. */
  seen: number;
}

export interface Feed {
  /** What a scope holds behind a position, at most `limit` entries of the log's order. */
  read(scope: Pick<Scope, 'org' | 'user'>, after: FeedPosition, limit: number): Promise<FeedPage>;
  /** Resolves when more is shown than the page had seen, or `signal` is aborted. */
  more(seen: number, signal: AbortSignal): Promise<void>;
  /** Where the log ends. */
  ends(): Promise<Positions>;
}

/**
 * The feed of one process. Turns are told before observations, so a turn before what was made of it; a partition's
 * events are told in their order, so a session's are.
 */
export const makeFeed = ({ index, log, everyMs }: FeedPorts): Feed => {
  const currentBounds = makeBounds({ index, log });
  const waiting = new Set<() => void>();
  let bounds: Positions = {};
  let seen = 0;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** One look for all who ask at the same time. */
  const look = (): Promise<void> => {
    looking ??= (async () => {
      try {
        const next = await currentBounds();
        const moved = Object.entries(next).some(([name, offset]) => offset !== bounds[name]);
        if (!moved) return;
        bounds = next;
        seen++;
        for (const wake of waiting) wake();
      } finally {
        looking = undefined;
      }
    })();
    return looking;
  };

  const watch = (): void => {
    if (timer !== undefined || waiting.size === 0) return;
    timer = setTimeout(async () => {
      // An outage is told by whoever reads next.
      await look().catch(() => {
        for (const wake of waiting) wake();
      });
      timer = undefined;
      watch();
    }, everyMs);
    timer.unref();
  };

  return {
    read: async (scope, after, limit) => {
      if (waiting.size === 0 || seen === 0) await look();
      const at = { bounds, seen };
      const position: Record<string, Point> = { ...after };
      const items: FeedItem[] = [];
      for (const topic of FEED_TOPICS) {
        const end = await readTopic(index, scope, topic, at.bounds, position, items, limit);
        if (end === 'full') return { items, position, isFull: true, seen: at.seen };
        // What is told of turns must not come before them.
        if (end === 'behind') return { items, position, isFull: false, seen: at.seen - 1 };
      }
      return { items, position, isFull: false, seen: at.seen };
    },
    more: async (than, signal) => {
      // Under load what comes in a moment is read at once, whatever the number of streams.
      if (seen > than) return void (await pause(everyMs, undefined, { signal }).catch(() => {}));
      if (signal.aborted) return;
      await new Promise<void>(resolve => {
        const wake = (): void => {
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        waiting.add(wake);
        signal.addEventListener('abort', wake);
        watch();
      });
    },
    ends: () => log.ends(),
  };
};

/**
 * Adds a topic's entries to `items` and moves `position` behind them. `full`: there may be more; `behind`: the index shows
 * less than it did.
 */
const readTopic = async (
  index: FeedIndex,
  scope: Pick<Scope, 'org' | 'user'>,
  topic: FeedTopic,
  bounds: Positions,
  position: Record<string, Point>,
  items: FeedItem[],
  limit: number,
): Promise<'done' | 'full' | 'behind'> => {
  const ranges = partitionsOf(bounds, topic).flatMap(({ partition, offset: to }): FeedRange[] => {
    const { offset: from = 0, after } = position[partitionName({ topic, partition })] ?? {};
    return from < to ? [{ topic, partition, from, to, after }] : [];
  });
  if (ranges.length === 0) return 'done';
  const wanted = limit - items.length;
  if (wanted <= 0) return 'full';
  const { entries, settled } = await index.read(scope, ranges, wanted);
  const isFull = entries.length >= wanted;

  let at = 0;
  for (const [i, entry] of entries.entries()) {
    // The ranges before the entry's hold no more.
    for (; ranges[at]!.partition !== entry.partition; at++) pass(position, ranges[at]!, settled);
    const next = entries[i + 1];
    const isWhole = next && (next.partition !== entry.partition || next.offset !== entry.offset);
    position[partitionName(entry)] = isWhole
      ? { offset: entry.offset + 1 }
      : { offset: entry.offset, after: entry.fragment.id };
    if (!entry.superseded) items.push({ entry, position: { ...position } });
  }
  if (isFull) return 'full';
  for (const range of ranges.slice(at)) pass(position, range, settled);
  return ranges.every(range => (position[partitionName(range)]?.offset ?? 0) >= range.to) ? 'done' : 'behind';
};

/** To the end of a range, or of what the index shows of it. */
const pass = (position: Record<string, Point>, range: FeedRange, settled: Positions): void => {
  const offset = Math.min(range.to, settled[partitionName(range)] ?? 0);
  if (offset > (position[partitionName(range)]?.offset ?? 0)) position[partitionName(range)] = { offset };
};
