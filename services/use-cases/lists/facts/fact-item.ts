import type { KnownObservation, Scope } from '../../../../core/ports.ts';
import { normaliseLabel } from '../../../../domain/extraction/names/label.ts';
import type { Period } from '../../../../domain/facts/holds/dated-facts.ts';
import type { People } from '../../../../domain/facts/names/people.ts';
import { entityId } from '../../../../domain/identity/identity.ts';
import { sourceTurnsOf } from '../../../../domain/search/fragment.ts';
import type { FactItem } from '../../../../schemas/http/items.ts';
import { factFields, instantOrNull } from './fact-fields.ts';

export interface OfUser extends Scope {
  user: string;
}

/** The entity that a value names, if it names one. */
export const valueId = ({ org, user }: OfUser, { said }: Period): string =>
  entityId(org, user, normaliseLabel(said[0].fact.value));

/** Returns a period as `GET /memory/facts` lists it. */
export const itemOf = (scope: OfUser, period: Period<KnownObservation>, people: People): FactItem => {
  const { said, validFrom, until, endedBy, disputedBy } = period;
  const [{ id: observation, session, text, fact, source, recordedAt }] = said;
  const { ended: _, about = null, ...fields } = factFields(fact)!;
  const { id, label } = people.of(said[0]);
  return {
    id: observation,
    user_id: scope.user,
    session_id: session,
    ...fields,
    about,
    certainty: Math.max(...said.map(one => one.fact.certainty ?? 1)),
    subject: { id, label },
    value_id: valueId(scope, period),
    text,
    valid_from: instantOrNull(validFrom),
    valid_until: instantOrNull(until),
    superseded_by: endedBy?.id ?? null,
    disputed_by: disputedBy.map(other => other.id),
    source_turn_ids: [...new Set(said.flatMap(sourceTurnsOf))],
    source: source!,
    recorded_at: recordedAt === Number.MAX_SAFE_INTEGER ? null : new Date(recordedAt).toISOString(),
  };
};
