/** Names in a recall of one user: what was corrected, and the user's persons where names of one are found. */

import type { Listing, NameCorrection, Scope, TurnDetails } from '../../../../core/ports.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import { madeOnce } from '../../../../domain/facts/made-once.ts';
import { namesOf } from '../../../../domain/facts/names/names.ts';
import { withOwnNames } from '../../../../domain/facts/names/own-names.ts';
import { entityId } from '../../../../domain/identity/identity.ts';
import { type ReadNames, readNames } from '../../lists/read-names.ts';

export interface NamePorts {
  details: Pick<TurnDetails, 'nameCorrections'>;
  listing: Pick<Listing, 'entities' | 'entitiesById'>;
}

type OfUser = Scope & { user: string };

export interface RecallNames {
  scope: OfUser;
  /** Read once. */
  corrections(): Promise<readonly NameCorrection[]>;
  /**
   * All persons of the scope, as its list has them; read once, and only where names of one entity are found.
   */
  all(): Promise<ReadNames>;
}

/**
 * Undefined for a search over a whole organization: names of different users are never merged, and are shown
 * as they were said.
 */
export const makeRecallNames = (
  { details, listing }: NamePorts,
  scope: Scope,
  signal: AbortSignal | undefined,
): RecallNames | undefined => {
  const { user } = scope;
  if (user === undefined) return undefined;
  const { org, session, asOf } = scope;
  let corrections: Promise<readonly NameCorrection[]> | undefined;
  let all: Promise<ReadNames> | undefined;
  const readCorrections = () => {
    corrections ??= details.nameCorrections({ org, user, asOf }, signal);
    return corrections;
  };
  return {
    scope: { ...scope, user },
    corrections: readCorrections,
    all: () => {
      all ??= readCorrections().then(said => readNames(listing, { org, user, session, asOf }, said));
      return all;
    },
  };
};

/** The names that corrections make one, as groups of normalised labels. */
const namesTogether = madeOnce((corrections: readonly NameCorrection[]): string[][] => {
  const labels = withOwnNames(corrections).flatMap(({ entity, merge_into }) =>
    (merge_into === null ? [entity] : [entity, merge_into]).map(label => ({
      label,
      mentions: 1,
      isPerson: false,
    })),
  );
  const { standing } = namesOf(labels, corrections, 'any');
  const keys = new Set(labels.map(({ label }) => normaliseLabel(label)));
  return [...Map.groupBy(keys, key => standing.get(key)?.key ?? key).values()];
});

/** The ids of all names that were corrected to be one with this one. */
export const correctedTogether = (
  { org, user }: OfUser,
  corrections: readonly NameCorrection[],
): ((subjectId: string) => readonly string[]) => {
  const together = new Map<string, readonly string[]>();
  for (const keys of namesTogether(corrections)) {
    const all = keys.map(key => entityId(org, user, key));
    for (const id of all) together.set(id, all);
  }
  return subjectId => together.get(subjectId) ?? [subjectId];
};
