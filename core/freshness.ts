import type { Freshness } from '../schemas/http/parts/parts.ts';
import type { TailTurn } from './ports.ts';

/**
 * Returns how up to date the index is for a scope.
 *
 * @param read the moment before the tail was read, or the requested `as_of`; Unix milliseconds
 * @param tail the scope's tail, read before the index
 * @param fromTail how many items of the answer come from the tail
 */
export const freshnessOf = (
  read: number,
  tail: readonly Pick<TailTurn, 'recordedAt'>[],
  fromTail: number,
): Freshness => {
  const until = tail.reduce((least, { recordedAt }) => Math.min(least, recordedAt), read);
  return { indexed_until: new Date(until).toISOString(), from_tail: fromTail };
};
