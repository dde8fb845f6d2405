/** One turn, with what was extracted from it and where it comes from. */

import { ServiceError } from '../../../core/errors.ts';
import type { Admission, KeptTurn, Listing, Scope, TailTurn, TurnDetails } from '../../../core/ports.ts';
import { boundSession, readScope } from '../../../core/scope.ts';
import type { MemoryLists } from '../../../core/use-cases.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import { instantOrNull } from './facts/fact-fields.ts';
import { observationOf, turnEntity, turnOf } from './items.ts';
import { readCorrections, withCorrection } from './read-corrections.ts';
import { correctedLabels } from './read-names.ts';
import { withSubjects } from './read-people.ts';
import { tailEntries } from './tail.ts';

export interface TurnPorts {
  listing: Listing;
  details: Pick<TurnDetails, 'observationsOf' | 'nameCorrections' | 'facts'>;
  admission: Pick<Admission, 'tail'>;
}

export const makeTurnDetails =
  ({ listing, details, admission }: TurnPorts): MemoryLists['turn'] =>
  async (principal, id) => {
    // An id also names its session, so the credential's session is not the default here.
    const { org, user } = readScope(principal, {});
    const session = boundSession(principal);
    const { kept, tail } = await findTurn({ listing, admission }, { org, user }, id);
    const fragment = kept?.fragment ?? tailEntries(tail, { kind: 'turn' })[0]?.fragment;
    if (!fragment || (session ?? fragment.session) !== fragment.session)
      throw new ServiceError('not_found', 'There is no such turn.');
    const scope = { org, user: fragment.user };
    const [observed, entities, names] = await Promise.all([
      details.observationsOf(scope, [id]),
      listing.named(scope, id),
      details.nameCorrections(scope),
    ]);
    const expiresAt = kept ? kept.origin.expiresAt : tail[0]?.expiresAt;
    const said = tailEntries(tail, { kind: 'observation' }).map(one => one.fragment);
    const observations = [...new Map([...observed, ...said].map(one => [one.id, one])).values()];
    const ofSession = { ...scope, session: fragment.session };
    const ids = observations.map(one => one.id);
    const [corrections, shown] = await Promise.all([
      readCorrections({ admission, details }, ofSession, ids),
      // A credential of one session learns no names from the others.
      withSubjects(details, session === undefined ? scope : { ...scope, session }, observations),
    ]);
    return {
      ...turnOf(fragment),
      observations: shown.toSorted(byText).map(one => withCorrection(observationOf(one), corrections)),
      entities: correctedLabels(entities, fragment.session, names).map(turnEntity),
      recorded_at: instantOrNull(kept?.origin.recordedAt),
      expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    };
  };

/**
 * Orders by text: all observations of a turn have the same instant, and the order of their ids means nothing
 * to a reader.
 */
const byText = (a: NewFragment, b: NewFragment): number => (a.text === b.text ? 0 : a.text < b.text ? -1 : 1);

/**
 * A turn as the index and the tail have it. The tail drops a turn once the index shows all of it, so reading
 * the tail first and then the index misses nothing. But the tail of an organization may be long, and most
 * turns left it long ago, so the index is read first as well:
 *
 * - The index has the turn. Its client's observations may become visible a moment later and are in the tail
 *   until then: the tail of its session is read, and the index is queried for observations after that.
 * - The index doesn't have it: it is just being projected, is not kept, never existed, is erased, or is
 *   another user's. Then the tail of everything that the principal sees is read, and the index once more: the
 *   turn may have moved from the tail to the index in between.
 * - Reads switch to another generation in between: it shows what the tail has dropped by then (ADR 13, 14).
 * - The turn is erased in between: the response has what was found before. A later call finds it in neither.
 */
export const findTurn = async (
  { listing, admission }: { listing: Pick<Listing, 'turn'>; admission: Pick<Admission, 'tail'> },
  seen: Pick<Scope, 'org' | 'user'>,
  id: string,
): Promise<{ kept: KeptTurn | undefined; tail: TailTurn[] }> => {
  const known = await listing.turn(seen, id);
  const { user, session } = known?.fragment ?? { user: seen.user, session: undefined };
  const tail = (await admission.tail({ org: seen.org, user, session })).filter(turn => turn.id === id);
  return { kept: known ?? (await listing.turn(seen, id)), tail };
};
