import { partitionName, partitionsOf } from '../../../core/log/positions.ts';
import type { FeedEntry, FeedIndex, FeedRange, Positions, Scope } from '../../../core/ports.ts';
import { recordOffsetOf } from '../../../schemas/events/event-offset.ts';
import { FEED_TOPICS, type FeedPosition, type FeedTopic, type Point } from './position.ts';

export interface FeedItem {
  entry: FeedEntry;
  /** The position after the entry. */
  position: FeedPosition;
}

/** `full`: there may be more; `behind`: the index shows less than it did when the bounds were computed. */
export type PageEnd = 'full' | 'behind' | 'done';

export interface ReadPage {
  items: FeedItem[];
  /** The position after the page. It also advances past records outside the scope. */
  position: FeedPosition;
  end: PageEnd;
}

/**
 * Characters of text in a page: a stream holds a page until its client has read it, and there may be
 * thousands of streams. A page has one entry at least.
 */
const MOST_LENGTH = 65_536;

/** Reads a scope's entries from a position up to the bounds, at most `limit`, in log order. */
export const readPage = async (
  index: Pick<FeedIndex, 'read'>,
  scope: Pick<Scope, 'org' | 'user'>,
  after: FeedPosition,
  bounds: Positions,
  limit: number,
): Promise<ReadPage> => {
  const page: ReadPage & { position: Record<string, Point> } = {
    items: [],
    position: { ...after },
    end: 'done',
  };
  // Observations must not be sent before their turns.
  for (const topic of FEED_TOPICS) {
    page.end = await readTopic(index, scope, topic, bounds, page, limit);
    if (page.end !== 'done') break;
  }
  return page;
};

/** The ranges of one topic between a position and the bounds. */
export const rangesOf = (position: FeedPosition, bounds: Positions, topic: FeedTopic): FeedRange[] =>
  partitionsOf(bounds, topic).flatMap(({ partition, offset: to }): FeedRange[] => {
    const { offset: from = 0, after } = position[partitionName({ topic, partition })] ?? {};
    return from < to ? [{ topic, partition, from, to, after }] : [];
  });

/** Adds a topic's entries to the page and moves its position past them. */
const readTopic = async (
  index: Pick<FeedIndex, 'read'>,
  scope: Pick<Scope, 'org' | 'user'>,
  topic: FeedTopic,
  bounds: Positions,
  { items, position }: { items: FeedItem[]; position: Record<string, Point> },
  limit: number,
): Promise<PageEnd> => {
  const ranges = rangesOf(position, bounds, topic);
  if (ranges.length === 0) return 'done';
  const wanted = limit - items.length;
  if (wanted <= 0) return 'full';
  const { entries: found, settled } = await index.read(scope, ranges, wanted);
  const entries = firstOf(found, items);
  const isFull = found.length >= wanted || entries.length < found.length;

  let at = 0;
  for (const [i, entry] of entries.entries()) {
    // The ranges before the entry's range have no more entries.
    for (; ranges[at]!.partition !== entry.partition; at++) pass(position, ranges[at]!, settled);
    const next = found[i + 1];
    const record = recordOffsetOf(entry.offset);
    const isWhole = next && (next.partition !== entry.partition || recordOffsetOf(next.offset) !== record);
    position[partitionName(entry)] = isWhole
      ? { offset: record + 1 }
      : { offset: entry.offset, after: entry.fragment.id };
    if (!entry.superseded) items.push({ entry, position: { ...position } });
  }
  if (isFull) return 'full';
  for (const range of ranges.slice(at)) pass(position, range, settled);
  return ranges.every(range => (position[partitionName(range)]?.offset ?? 0) >= range.to) ? 'done' : 'behind';
};

/** The entries that the page has room for beside what it holds. */
const firstOf = (found: readonly FeedEntry[], held: readonly FeedItem[]): readonly FeedEntry[] => {
  let length = held.reduce((sum, { entry }) => sum + entry.fragment.text.length, 0);
  let isEmpty = held.length === 0;
  const end = found.findIndex(({ fragment }) => {
    length += fragment.text.length;
    const fits = isEmpty || length <= MOST_LENGTH;
    isEmpty = false;
    return !fits;
  });
  return end < 0 ? found : found.slice(0, end);
};

/** Advances the position to the end of a range, or to the end of what the index shows of it. */
const pass = (position: Record<string, Point>, range: FeedRange, settled: Positions): void => {
  const offset = Math.min(range.to, settled[partitionName(range)] ?? 0);
  if (offset > (position[partitionName(range)]?.offset ?? 0)) position[partitionName(range)] = { offset };
};
