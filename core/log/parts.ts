import { MOST_EVENTS } from '../../schemas/events/envelope.ts';
import { jsonBytes, mostJsonBytes } from './json-bytes.ts';

/** Most bytes of a frame before compression, unless a single event has more. */
const PART_BYTES = 256 * 1024;
/** Bytes of an event in the clear part; its remaining bytes count eight times as much. */
const HEAD_BYTES = 128;

/**
 * Splits items that are recorded together into the bodies of frames, each with at least one item. A body is
 * made on demand, so that the work on it can be done before the next.
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
    // Room for one is reserved: the first event of a frame may be the part's own.
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

/**
 * Whether all items surely fit into one part, as nearly always. This estimate costs a fraction of counting
 * their bytes.
 */
const isOnePart = (items: readonly object[], common: number): boolean => {
  if (items.length === 0 || items.length >= MOST_EVENTS) return false;
  let left = roomBeside(common);
  for (const item of items) left -= HEAD_BYTES + mostJsonBytes(item);
  return left >= 0;
};
