import { MOST_EVENTS } from '../../schemas/events/envelope.ts';
import { jsonBytes, mostJsonBytes } from './json-bytes.ts';

/** Bytes of a frame at most, before it is compressed, unless a single event has more. */
const PART_BYTES = 256 * 1024;
/** Bytes of an event in the clear part; the rest of that part takes eight times as much. */
const HEAD_BYTES = 128;

/**
 * Splits what is recorded together into the bodies of frames: each has one item at least. Each is made when it is asked
 * for, so that the work on one can be done before the next.
 *
 * @param common bytes that every part has beside its items
 */
export function* partsOf<T extends object>(items: readonly T[], common = 0): Generator<readonly T[]> {
  if (isOnePart(items, common)) {
    yield items;
    return;
  }
  let part: T[] = [];
  let left = 0;
  for (const item of items) {
    const bytes = HEAD_BYTES + jsonBytes(item);
    // The first event of a frame may be of the part itself.
    if (bytes <= left && part.length < MOST_EVENTS - 1) {
      part.push(item);
      left -= bytes;
    } else {
      if (part.length > 0) yield part;
      part = [item];
      left = roomBeside(common) - bytes;
    }
  }
  if (part.length > 0) yield part;
}

const roomBeside = (common: number): number => PART_BYTES - 8 * HEAD_BYTES - common;

/** Whether they surely fit into one part, as nearly all do: to know it costs a fraction of counting their bytes. */
const isOnePart = (items: readonly object[], common: number): boolean => {
  if (items.length === 0 || items.length >= MOST_EVENTS) return false;
  let left = roomBeside(common);
  for (const item of items) left -= HEAD_BYTES + mostJsonBytes(item);
  return left >= 0;
};
