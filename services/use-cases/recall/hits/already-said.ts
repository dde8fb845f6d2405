import type { ChosenObservation } from '../../../../core/ports.ts';
import { normaliseWords } from '../../../../domain/extraction/sentences/same-words.ts';

/** Observations by user and words. The same words about two users are two facts ("The user is vegan"). */
export type SaidSoFar = Map<string, ChosenObservation>;

export const saidNothing = (): SaidSoFar => new Map();

/**
 * Whether an observation repeats a better one of the same user, from another turn, which then gets its source
 * turns too.
 */
export const isSaidAgain = (said: SaidSoFar, hit: ChosenObservation): boolean => {
  const key = `${hit.fragment.user}\n${normaliseWords(hit.fragment.text)}`;
  const first = said.get(key);
  if (first === undefined) {
    said.set(key, hit);
    return false;
  }
  first.sourceTurnIds = [...new Set([...first.sourceTurnIds, ...hit.sourceTurnIds])];
  return true;
};
