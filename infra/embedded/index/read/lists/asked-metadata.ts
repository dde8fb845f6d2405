import type { SQLOutputValue } from 'node:sqlite';
import type { PassingMetadata } from '../../../../../domain/search/segments/run.ts';

/** Far more than the statements that run before a step of work ends. */
const MOST_ASKED = 64;

const asked = new Map<number, PassingMetadata>();
let last = 0;

/**
 * Returns a number that names this metadata to `reader_passes`, for statements of this step in any connection
 * of this thread: every statement would have to parse and sort a list of numbers passed as a parameter.
 */
export const askFor = (passing: PassingMetadata): number => {
  asked.set(++last, passing);
  asked.delete(last - MOST_ASKED);
  return last;
};

/** Implements `reader_passes(number, metadata)`: whether a row with this metadata passes; null is none. */
export const passesAsked = (number: SQLOutputValue, metadata: SQLOutputValue): 0 | 1 => {
  const { numbers, except } = asked.get(Number(number))!;
  return (metadata !== null && numbers.has(Number(metadata))) === except ? 0 : 1;
};
