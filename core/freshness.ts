import type { Freshness } from '../schemas/http/parts/parts.ts';
import type { TailTurn } from './ports.ts';

/**
 * How far the index is with a scope.
 *
 * @param read the moment before the tail was read, or the one that was asked about; Unix milliseconds
 * @param tail the scope's, read before the index
 * @param fromTail how many items of the answer were taken from it
 */
export const freshnessOf = (
  read: number,
  tail: readonly Pick<TailTurn, 'recordedAt'>[],
  fromTail: number,
): Freshness => {
  const until = tail.reduce((least, { recordedAt }) => Math.min(least, recordedAt), read);
  return { indexed_until: new Date(until).toISOString(), from_tail: fromTail };
};
