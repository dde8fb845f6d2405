import { ServiceError } from '../../../core/errors.ts';
import type { Admission, KeptObservation, Listing, Scope, TailTurn } from '../../../core/ports.ts';
import { boundSession } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import { tailObservations } from '../../../projections/recall/tail/tail-turn.ts';
import { recordOffsetOf } from '../../../schemas/events/event-offset.ts';

export interface FindPorts {
  admission: Pick<Admission, 'tail'>;
  listing: Pick<Listing, 'observation'>;
}

/** An observation of the scope, from the index or from the tail. */
export const findObservation = async (
  { admission, listing }: FindPorts,
  scope: Pick<Scope, 'org' | 'user'>,
  id: string,
): Promise<KeptObservation | undefined> => {
  const inTail = async () => (await admission.tail(scope)).flatMap(keptInTail).find(one => one.id === id);
  // From the tail it may have moved to the index in between.
  return (await listing.observation(scope, id)) ?? (await inTail()) ?? (await listing.observation(scope, id));
};

const keptInTail = (turn: TailTurn): KeptObservation[] => {
  const { partition, offset, expiresAt } = turn;
  const record = { topic: 'turns', partition, offset: recordOffsetOf(offset) } as const;
  return tailObservations(turn).map(one => ({ ...one, expiresAt, record }));
};

/** Throws `not_found` for what the principal doesn't see. */
export const seen = <T extends NewFragment>(principal: Principal, found: T | undefined, what: string): T => {
  const session = boundSession(principal);
  if (!found || (session ?? found.session) !== found.session) throw notFound(what);
  return found;
};

export const notFound = (what: string): ServiceError =>
  new ServiceError('not_found', `There is no such ${what}.`);
