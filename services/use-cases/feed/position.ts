import { PROJECTIONS } from '../../../projections/all.ts';
import { isPlace, offsetOfPlace } from '../../../schemas/events/place.ts';
import { parsePartition, partitionName, positionsIn } from '../../core/log/positions.ts';
import type { Positions } from '../../core/ports.ts';
import { bytesOfPoints, type Placed, type Point, pointsOf } from './compact-position.ts';

export type { Point } from './compact-position.ts';

/** Keyed by `topic/partition`; a missing partition is at its beginning. */
export type FeedPosition = Readonly<Record<string, Point>>;

export const FEED_TOPICS = PROJECTIONS.recall.topics;
export type FeedTopic = (typeof FEED_TOPICS)[number];

/** `[1, turns, observations]` as JSON: a list of the next offsets of all partitions each, `[place, id]` within a record. */
const FULL = 1;
/** The first byte of a position that names some partitions (compact-position.ts). */
const COMPACT = 2;
/** Up to so many partitions a topic a position is written in full, which earlier releases read too. */
const MOST_IN_FULL = 64;
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

/** The partitions in which a position is past the beginning. */
export const passedIn = (position: FeedPosition): Set<string> =>
  new Set(
    Object.entries(position).flatMap(([name, { offset, after }]) =>
      offset > 0 || after !== undefined ? [name] : [],
    ),
  );

/** What a position says of these partitions, by topic, in the order of the partitions. */
const placedIn = (position: FeedPosition, names: Iterable<string>): Placed[][] => {
  const placed = new Map<string, Placed[]>(FEED_TOPICS.map(topic => [topic, []]));
  for (const name of names) {
    const { topic, partition } = parsePartition(name);
    const point = position[name];
    if (point) placed.get(topic)?.push([partition, point]);
  }
  return [...placed.values()].map(points => points.sort(([a], [b]) => a - b));
};

const inFull = (points: readonly Placed[]): Written[] => {
  const list: Written[] = [];
  for (const [partition, { offset, after }] of points)
    list[partition] = after === undefined ? offset : [offset, after];
  return Array.from(list, each => each ?? 0);
};

/**
 * base64url of a position that names these partitions, at most; the others are then at their beginning, where a stream
 * finds nothing that it has sent.
 */
export const encodePosition = (
  position: FeedPosition,
  named: Iterable<string> = Object.keys(position),
): string => {
  const topics = placedIn(position, named);
  const bytes = topics.every(points => (points.at(-1)?.[0] ?? 0) < MOST_IN_FULL)
    ? Buffer.from(JSON.stringify([FULL, ...topics.map(inFull)]))
    : Buffer.from([COMPACT, ...bytesOfPoints(topics)]);
  return bytes.toString('base64url');
};

const isOffset = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const pointOf = (value: unknown): Point | undefined => {
  if (isOffset(value)) return { offset: value };
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [offset, after] = value;
  return isPlace(offset) && typeof after === 'string' && ID.test(after) ? { offset, after } : undefined;
};

/** Returns undefined when the text is not a valid position. */
export const decodePosition = (text: string): FeedPosition | undefined => {
  if (text.length > MOST_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const topics =
    bytes[0] === COMPACT
      ? pointsOf(bytes.subarray(1), FEED_TOPICS.length, MOST_PARTITIONS)
      : pointsInFull(bytes.toString());
  return (
    topics &&
    Object.fromEntries(
      FEED_TOPICS.flatMap((topic, i) =>
        topics[i]!.map(([partition, point]) => [partitionName({ topic, partition }), point]),
      ),
    )
  );
};

const pointsInFull = (text: string): Placed[][] | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value) || value.length !== 1 + FEED_TOPICS.length || value[0] !== FULL) return undefined;
  const topics: Placed[][] = [];
  for (const list of value.slice(1) as unknown[]) {
    if (!Array.isArray(list) || list.length > MOST_PARTITIONS) return undefined;
    const points = list.map(pointOf);
    if (points.includes(undefined)) return undefined;
    topics.push(points.map((point, partition) => [partition, point!]));
  }
  return topics;
};

/** Whether the log reaches this position. One beyond its end is from another log, or the log was restored from a backup. */
export const isWithin = (position: FeedPosition, ends: Positions): boolean =>
  Object.entries(position).every(
    ([name, { offset, after }]) =>
      (after === undefined ? offset : offsetOfPlace(offset) + 1) <= (ends[name] ?? 0),
  );
