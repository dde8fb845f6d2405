import { MOST_EVENTS } from './envelope.ts';

/**
 * A record of the log may hold several events, so an event's place in its partition is two numbers: the
 * offset of its record and its index there. They are kept as one, the index as 256ths of an offset. So a
 * place is compared, sorted, stored and sent in cursors like an offset. Exact as a double up to the offset
 * 2^45.
 */

export const placeOf = ({ offset, index = 0 }: { offset: number; index?: number | undefined }): number =>
  offset + index / MOST_EVENTS;

/** The record that holds the event at a place. */
export const offsetOfPlace = (place: number): number => Math.floor(place);

export const indexOfPlace = (place: number): number => (place - Math.floor(place)) * MOST_EVENTS;

/** Whether a number, of a cursor, can be a place. */
export const isPlace = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value < 2 ** 45 && Number.isInteger(value * MOST_EVENTS);
