/** One user, with the names that are the user's own and those that the user's words suggest. */

import { ServiceError } from '../../../core/errors.ts';
import type {
  Admission,
  KnownObservation,
  Listing,
  NameCorrection,
  TurnDetails,
} from '../../../core/ports.ts';
import { boundSession, ownScope, readScope } from '../../../core/scope.ts';
import type { Principal } from '../../../core/use-cases.ts';
import { normaliseLabel } from '../../../domain/extraction/names/label.ts';
import { standingOf } from '../../../domain/facts/holds/standing.ts';
import { ME, ownNames } from '../../../domain/facts/names/own-names.ts';
import { peopleOf } from '../../../domain/facts/names/people.ts';
import type { UserDetails } from '../../../schemas/http/items.ts';
import { userItem } from './items.ts';
import { withTailUsers } from './tail.ts';

export interface UserPorts {
  listing: Pick<Listing, 'users'>;
  details: Pick<TurnDetails, 'facts' | 'nameCorrections'>;
  admission: Pick<Admission, 'tail'>;
  /** Unix milliseconds. */
  clock: () => number;
}

export interface OneUser {
  org: string;
  user: string;
}

/** Returns the scope of one user, whose names are shown in all sessions. Throws `forbidden`. */
export const userScope = (principal: Principal, id: string): OneUser => {
  if (boundSession(principal) !== undefined)
    throw new ServiceError('forbidden', 'This credential may only see its own session.');
  const named = { user_id: id };
  const { org, user } = ownScope(principal, named, readScope(principal, named));
  return { org, user };
};

/** The attribute of "my name is …". */
const NAME = 'name';

/** Returns names that the user gave ("my name is Ada") and that are not set, the last one first. */
const suggestedNames = async (
  { details, clock }: Pick<UserPorts, 'details' | 'clock'>,
  scope: OneUser,
  names: readonly NameCorrection[],
): Promise<string[]> => {
  const { facts, corrections } = await details.facts(scope, { user: scope.user, attributes: [NAME] });
  const people = peopleOf(facts, { corrections: names, into: 'any' });
  const { superseded } = standingOf<KnownObservation>(facts, clock(), corrections, people);
  const me = people.of({ fact: { subject: ME, subjectId: '' }, text: '', role: '' });
  const known = new Set(ownNames(names).map(normaliseLabel));
  return facts.flatMap(one => {
    const { id, fact } = one;
    const key = normaliseLabel(fact.value);
    const isGiven = people.of(one).id === me.id && !fact.ended && !superseded.has(id);
    if (!isGiven || known.has(key)) return [];
    known.add(key);
    return [fact.value];
  });
};

/** Returns what is known of a user. Throws `not_found` where that is nothing. */
export const findUser = async ({ listing, admission, details }: UserPorts, scope: OneUser) => {
  const tail = await admission.tail(scope);
  const [stored, names] = await Promise.all([
    listing.users(scope, undefined, 1),
    details.nameCorrections(scope),
  ]);
  const [found] = withTailUsers(stored, tail, undefined, 1);
  if (found === undefined && names.length === 0)
    throw new ServiceError('not_found', 'There is no such user.');
  return { counts: found ?? { user: scope.user, sessions: 0, turns: 0, lastAt: null }, names };
};

/** Throws `not_found`. */
export const readUser = async (ports: UserPorts, scope: OneUser): Promise<UserDetails> => {
  const { counts, names } = await findUser(ports, scope);
  return {
    ...userItem(counts),
    names: [...ownNames(names)],
    suggested_names: await suggestedNames(ports, scope, names),
  };
};
