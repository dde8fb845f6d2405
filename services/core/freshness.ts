import type { Freshness } from '../../schemas/http/parts.ts';
import type { TailTurn } from './ports.ts';

/**
 * How far the index was when it was read, from the tail that was read before it.
 * @param tail acknowledged turns of the searched scope that the index may not contain yet
 * @param moment before the tail was read; Unix milliseconds
 */
export const freshnessOf = (tail: readonly TailTurn[], moment: number): Freshness => {
  // A release before this one put turns into the tail without their instant.
  const until = tail.reduce((earliest, { recordedAt = moment }) => Math.min(earliest, recordedAt), moment);
  return { indexed_until: new Date(until).toISOString(), from_tail: tail.length };
};
