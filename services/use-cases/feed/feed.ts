import { setTimeout as pause } from 'node:timers/promises';
import { partitionName, partitionsOf } from '../../core/log/positions.ts';
import type { FeedEntry, FeedIndex, FeedPorts, FeedRange, Positions, Scope } from '../../core/ports.ts';
import { makeBounds } from './bounds.ts';
import { FEED_TOPICS, type FeedPosition, type FeedTopic, type Point } from './position.ts';

export interface FeedItem {
  entry: FeedEntry;
  /** The position after the entry. */
  position: FeedPosition;
}

export interface FeedPage {
  items: FeedItem[];
  /** The position after the page. It also advances past records outside the scope. */
  position: FeedPosition;
  /** More entries may be available immediately. */
  isFull: boolean;
  /** The version of the bounds that it was read with, for `more`. */
  seen: number;
}

export interface Feed {
  /** Reads a scope's entries after a position, at most `limit`, in log order. */
  read(scope: Pick<Scope, 'org' | 'user'>, after: FeedPosition, limit: number): Promise<FeedPage>;
  /** Resolves when the bounds are newer than `seen`, or when `signal` is aborted. */
  more(seen: number, signal: AbortSignal): Promise<void>;
  /** The log's end offsets. */
  ends(): Promise<Positions>;
}

/**
 * The feed of one process. Turns are sent before observations, so a turn comes before what was extracted from it. The
 * events of a partition, and so of a session, are sent in log order.
 */
export const makeFeed = ({ index, log, everyMs }: FeedPorts): Feed => {
  const currentBounds = makeBounds({ index, log });
  const waiting = new Set<() => void>();
  let bounds: Positions = {};
  let seen = 0;
  let looking: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Refreshes the bounds. Concurrent callers share one refresh. */
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
      // The next read reports an outage.
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
        // Observations must not be sent before their turns.
        if (end === 'behind') return { items, position, isFull: false, seen: at.seen - 1 };
      }
      return { items, position, isFull: false, seen: at.seen };
    },
    more: async (than, signal) => {
      // Under load, events of one interval are read together, however many streams there are.
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
 * Adds a topic's entries to `items` and moves `position` past them. `full`: there may be more; `behind`: the index shows
 * less than it did when the bounds were computed.
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
    // The ranges before the entry's range have no more entries.
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

/** Advances the position to the end of a range, or to the end of what the index shows of it. */
const pass = (position: Record<string, Point>, range: FeedRange, settled: Positions): void => {
  const offset = Math.min(range.to, settled[partitionName(range)] ?? 0);
  if (offset > (position[partitionName(range)]?.offset ?? 0)) position[partitionName(range)] = { offset };
};
