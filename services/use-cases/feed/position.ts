import { PROJECTIONS } from '../../../projections/all.ts';
import { parsePartition, partitionName, positionsIn } from '../../core/log/positions.ts';
import type { Positions } from '../../core/ports.ts';

/** A stream's position in one partition. */
export interface Point {
  /** The offset of the next event. */
  offset: number;
  /** Entries of that event up to this id have been sent already. */
  after?: string | undefined;
}

/** Keyed by `topic/partition`; a missing partition is at its beginning. */
export type FeedPosition = Readonly<Record<string, Point>>;

export const FEED_TOPICS = PROJECTIONS.recall.topics;
export type FeedTopic = (typeof FEED_TOPICS)[number];

const FORMAT = 1;
/** The most partitions a topic has; a forged position may be of any size. */
const MOST_PARTITIONS = 1_024;
const MOST_LENGTH = 64 * 1_024;
const ID = /^(trn|obs)_[0-9a-f]{32}$/;

type Written = number | [number, string];

/** A position before the first entry of the event at each offset. */
export const atPositions = (positions: Positions): FeedPosition =>
  Object.fromEntries(
    Object.entries(positionsIn(positions, FEED_TOPICS)).map(([name, offset]) => [name, { offset }]),
  );

/** Whether a position is exactly at these offsets: neither behind nor ahead of them in any partition. */
export const isAt = (position: FeedPosition, positions: Positions): boolean =>
  Object.entries(positions).every(([name, offset]) => offset === (position[name]?.offset ?? 0)) &&
  Object.entries(position).every(
    ([name, { offset, after }]) => after === undefined && offset === (positions[name] ?? 0),
  );

const written = (position: FeedPosition, topic: FeedTopic): Written[] => {
  const list: Written[] = [];
  for (const [name, { offset, after }] of Object.entries(position)) {
    const at = parsePartition(name);
    if (at.topic === topic) list[at.partition] = after === undefined ? offset : [offset, after];
  }
  return Array.from(list, each => each ?? 0);
};

/** base64url of JSON: `[format, turns, observations]`, a list of next offsets each, `[offset, id]` within an event. */
export const encodePosition = (position: FeedPosition): string =>
  Buffer.from(JSON.stringify([FORMAT, ...FEED_TOPICS.map(topic => written(position, topic))])).toString(
    'base64url',
  );

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const pointOf = (value: unknown): Point | undefined => {
  if (isOffset(value)) return { offset: value };
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [offset, after] = value;
  return isOffset(offset) && typeof after === 'string' && ID.test(after) ? { offset, after } : undefined;
};

/** Returns undefined when the text is not a valid position. */
export const decodePosition = (text: string): FeedPosition | undefined => {
  if (text.length > MOST_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 1 + FEED_TOPICS.length || value[0] !== FORMAT)
    return undefined;
  const position: Record<string, Point> = {};
  for (const [i, topic] of FEED_TOPICS.entries()) {
    const list: unknown = value[i + 1];
    if (!Array.isArray(list) || list.length > MOST_PARTITIONS) return undefined;
    for (const [partition, each] of list.entries()) {
      const point = pointOf(each);
      if (!point) return undefined;
      position[partitionName({ topic, partition })] = point;
    }
  }
  return position;
};

/** Whether the log reaches this position. One beyond its end is from another log, or the log was restored from a backup. */
export const isWithin = (position: FeedPosition, ends: Positions): boolean =>
  Object.entries(position).every(
    ([name, { offset, after }]) => offset + (after === undefined ? 0 : 1) <= (ends[name] ?? 0),
  );
