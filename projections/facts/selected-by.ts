import { type Condition, passes } from '../filter/condition.ts';
import { NO_TERMS } from '../filter/terms.ts';
import type { Dated } from './dated-facts.ts';

/**
 * Whether a fact passes: one that corrects another also where that one does, since a correction is of no write with metadata.
 *
 * @param known those that were read
 */
export const selectedBy = <T extends Dated & { metadata?: readonly string[] | undefined }>(
  filter: Condition | undefined,
  known: readonly T[],
): ((one: T) => boolean) => {
  if (!filter) return () => true;
  const byId = new Map(known.map(one => [one.id, one]));
  return one => {
    for (let at: T | undefined = one; at; at = at.corrects && byId.get(at.corrects.id))
      if (passes(filter, at.metadata ?? NO_TERMS)) return true;
    return false;
  };
};
