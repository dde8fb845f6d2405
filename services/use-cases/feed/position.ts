import { parsePartition, partitionName, positionsIn } from '../../../core/log/positions.ts';
import type { Positions } from '../../../core/ports.ts';
import { PROJECTIONS } from '../../../projections/all.ts';
import { recordOffsetOf } from '../../../schemas/events/event-offset.ts';
import { bytesOfPoints, type PartitionPoint, type Point, pointsOf } from './compact-position.ts';

export type { Point } from './compact-position.ts';

/** Keyed by `topic/partition`; a missing partition is at its beginning. */
export type FeedPosition = Readonly<Record<string, Point>>;

export const FEED_TOPICS = PROJECTIONS.recall.topics;
export type FeedTopic = (typeof FEED_TOPICS)[number];

/** The first byte of a position; the others are of compact-position.ts. */
const FORMAT = 2;
/** The most partitions a topic has; a forged position may be of any size. */
const MOST_PARTITIONS = 1_024;
const MOST_LENGTH = 64 * 1_024;

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

/** The points of a position in these partitions, by topic, in the order of the partitions. */
const pointsIn = (position: FeedPosition, names: Iterable<string>): PartitionPoint[][] => {
  const points = new Map<string, PartitionPoint[]>(FEED_TOPICS.map(topic => [topic, []]));
  for (const name of names) {
    const { topic, partition } = parsePartition(name);
    const point = position[name];
    if (point) points.get(topic)?.push([partition, point]);
  }
  return [...points.values()].map(ofTopic => ofTopic.sort(([a], [b]) => a - b));
};

/**
 * base64url of a position that names these partitions, at most; the others are then at their beginning, where
 * a stream finds nothing that it has sent.
 */
export const encodePosition = (
  position: FeedPosition,
  named: Iterable<string> = Object.keys(position),
): string => Buffer.from([FORMAT, ...bytesOfPoints(pointsIn(position, named))]).toString('base64url');

/** Returns undefined when the text is not a valid position. */
export const decodePosition = (text: string): FeedPosition | undefined => {
  if (text.length > MOST_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes[0] !== FORMAT) return undefined;
  const topics = pointsOf(bytes.subarray(1), FEED_TOPICS.length, MOST_PARTITIONS);
  return (
    topics &&
    Object.fromEntries(
      FEED_TOPICS.flatMap((topic, i) =>
        topics[i]!.map(([partition, point]) => [partitionName({ topic, partition }), point]),
      ),
    )
  );
};

/**
 * Whether the log reaches this position. One beyond its end is from another log, or the log was restored from
 * a backup.
 */
export const isWithin = (position: FeedPosition, ends: Positions): boolean =>
  Object.entries(position).every(
    ([name, { offset, after }]) =>
      (after === undefined ? offset : recordOffsetOf(offset) + 1) <= (ends[name] ?? 0),
  );
