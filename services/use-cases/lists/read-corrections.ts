/** Which of the observations of a page somebody corrected. */

import type { Admission, KnownObservation, Scope, TurnDetails } from '../../../core/ports.ts';
import { correctionsById } from '../../../domain/facts/holds/corrections.ts';
import { tailObservations } from '../../../projections/recall/tail/tail-turn.ts';
import type { ObservationItem } from '../../../schemas/http/items.ts';

export interface CorrectionPorts {
  details: Pick<TurnDetails, 'facts'>;
  admission: Pick<Admission, 'tail'>;
}

/**
 * Returns the corrections of these observations, by the observations' ids. A correction is in the session of
 * the observation that it corrects.
 *
 * @param ids of observations of the scope
 */
export const readCorrections = async (
  { details, admission }: CorrectionPorts,
  scope: Pick<Scope, 'org' | 'user' | 'session'>,
  ids: readonly string[],
): Promise<Map<string, KnownObservation>> => {
  if (ids.length === 0) return new Map();
  const wanted = new Set(ids);
  // Read before the index: what is acknowledged is in at least one of the two.
  const waiting = (await admission.tail(scope))
    .filter(({ stated }) => wanted.has(stated?.corrects?.observation_id ?? ''))
    .flatMap(tailObservations)
    .map((one): KnownObservation => ({ key: -1, ...one, recordedAt: Number.MAX_SAFE_INTEGER }));
  const { corrections } = await details.facts(scope, { keys: [], corrected: ids });
  return correctionsById<KnownObservation>([...waiting, ...corrections]);
};

export const withCorrection = (
  item: ObservationItem,
  corrections: ReadonlyMap<string, KnownObservation>,
): ObservationItem => {
  const by = corrections.get(item.id);
  return by ? { ...item, superseded_by: by.id } : item;
};
