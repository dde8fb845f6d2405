import { MOST_EVENTS } from './envelope.ts';

/**
 * A record of the log may hold several events, so an event's address in its partition is two numbers: the
 * offset of its record and its index there. They are kept as one, the event offset, with the index as 256ths.
 * So it is compared, sorted, stored and sent in cursors like an offset. Exact as a double up to the offset
 * 2^45.
 */

export const eventOffsetOf = ({
  offset,
  index = 0,
}: {
  offset: number;
  index?: number | undefined;
}): number => offset + index / MOST_EVENTS;

/** The offset of the record that holds the event. */
export const recordOffsetOf = (eventOffset: number): number => Math.floor(eventOffset);

export const indexInRecord = (eventOffset: number): number =>
  (eventOffset - Math.floor(eventOffset)) * MOST_EVENTS;

/** Whether a number, of a cursor, can be an event offset. */
export const isEventOffset = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 2 ** 45 && Number.isInteger(value * MOST_EVENTS);
