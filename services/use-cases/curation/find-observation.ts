import type { NewFragment } from '../../../projections/recall/fragment.ts';
import { tailObservations } from '../../../projections/recall/tail/tail-turn.ts';
import { ServiceError } from '../../core/errors.ts';
import type { Admission, ExpiringFragment, Listing, Scope } from '../../core/ports.ts';
import { boundSession } from '../../core/scope.ts';
import type { Principal } from '../../core/use-cases.ts';

export interface FindPorts {
  admission: Pick<Admission, 'tail'>;
  listing: Pick<Listing, 'observation'>;
}

/** An observation of the scope, from the index or from the tail. */
export const findObservation = async (
  { admission, listing }: FindPorts,
  scope: Pick<Scope, 'org' | 'user'>,
  id: string,
): Promise<ExpiringFragment | undefined> => {
  const inTail = async () =>
    (await admission.tail(scope))
      .flatMap(turn => tailObservations(turn).map(one => ({ ...one, expiresAt: turn.expiresAt })))
      .find(one => one.id === id);
  // From the tail it may have moved to the index in between.
  return (await listing.observation(scope, id)) ?? (await inTail()) ?? (await listing.observation(scope, id));
};

/** Throws `not_found` for what the principal doesn't see. */
export const seen = <T extends NewFragment>(principal: Principal, found: T | undefined, what: string): T => {
  const session = boundSession(principal);
  if (!found || (session ?? found.session) !== found.session)
    throw new ServiceError('not_found', `There is no such ${what}.`);
  return found;
};
