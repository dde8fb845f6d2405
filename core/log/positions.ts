/**
 * Positions in the log: partition names, record addresses and the progress of a reader. These names are
 * composed and parsed only here.
 */
import { PROJECTED_TOPICS } from '../../projections/all.ts';
import type { Positions, RecordAddress, Topic } from '../ports/log/event-log.ts';

export interface Partition {
  topic: Topic;
  partition: number;
}

/** Returns the key of a partition in `Positions`: `turns/3`. */
export const partitionName = ({ topic, partition }: { topic: string; partition: number }): string =>
  `${topic}/${partition}`;

export const parsePartition = (name: string): Partition => {
  const [topic, partition] = name.split('/') as [Topic, string];
  return { topic, partition: Number(partition) };
};

/**
 * Returns the address of a record, as operators read it: `turns/3/1042`, or `turns/3/1042/7` for one of its
 * events.
 */
export const addressName = (address: {
  topic: string;
  partition: number;
  offset: number;
  index?: number | undefined;
}): string =>
  `${partitionName(address)}/${address.offset}${address.index === undefined ? '' : `/${address.index}`}`;

/** Returns the next offset of a partition; 0 where it has no position. */
export const offsetIn = (positions: Positions, partition: { topic: string; partition: number }): number =>
  positions[partitionName(partition)] ?? 0;

/** Returns the positions of these topics. */
export const positionsIn = (positions: Positions, topics: readonly Topic[]): Positions =>
  Object.fromEntries(
    Object.entries(positions).filter(([name]) => topics.includes(parsePartition(name).topic)),
  );

/** Returns the partitions of a topic with their next offsets, in the order of their numbers. */
export const partitionsOf = <T extends Topic>(
  positions: Positions,
  topic: T,
): { topic: T; partition: number; offset: number }[] =>
  Object.entries(positionsIn(positions, [topic]))
    .map(([name, offset]) => ({ topic, partition: parsePartition(name).partition, offset }))
    .sort((a, b) => a.partition - b.partition);

/** Returns the greater offset of each partition. */
export const furthest = (one: Positions, other: Positions): Positions => {
  const found = { ...one };
  for (const [name, offset] of Object.entries(other)) found[name] = Math.max(offset, found[name] ?? 0);
  return found;
};

/** Returns the number of events by which the first positions are behind the second. */
export const eventsBetween = (from: Positions, to: Positions): number =>
  Object.entries(to).reduce((sum, [name, end]) => sum + Math.max(end - (from[name] ?? 0), 0), 0);

/** Whether `positions` has reached `others` in every partition. */
export const hasReached = (positions: Positions, others: Positions): boolean =>
  eventsBetween(positions, others) === 0;

/** Whether everything at these addresses lies below the positions. */
export const isBelow = (positions: Positions, addresses: readonly RecordAddress[]): boolean =>
  addresses.every(address => offsetIn(positions, address) > address.offset);

const sum = (positions: Positions): number =>
  Object.values(positions).reduce((total, value) => total + value, 0);

/** Returns the number of events that projections read up to these ends. */
export const eventsUntil = (ends: Positions): number => sum(positionsIn(ends, PROJECTED_TOPICS));

/** Returns the number of events that a projection at these positions lacks. */
export const eventsBehind = (positions: Positions, ends: Positions): number =>
  eventsBetween(positions, positionsIn(ends, PROJECTED_TOPICS));

export const ofAccounts = (positions: Positions): Positions => positionsIn(positions, ['accounts']);
