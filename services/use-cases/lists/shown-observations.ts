import type { Scope } from '../../../core/ports.ts';
import type { NewFragment } from '../../../domain/search/fragment.ts';
import type { ObservationItem } from '../../../schemas/http/items.ts';
import { observationOf } from './items.ts';
import { type CorrectionPorts, readCorrections, withCorrection } from './read-corrections.ts';
import { type SubjectPorts, withSubjects } from './read-people.ts';

/** Returns observations of a page as they are shown: with their subjects' names, and what corrects them. */
export const shownObservations = async (
  ports: CorrectionPorts & SubjectPorts,
  scope: Scope,
  found: readonly NewFragment[],
): Promise<ObservationItem[]> => {
  const ids = found.flatMap(({ id, corrects }) => (corrects ? [id, corrects.id] : [id]));
  const [corrections, shown] = await Promise.all([
    readCorrections(ports, scope, ids),
    withSubjects(ports.details, scope, found),
  ]);
  return shown.map(observationOf).map(one => withCorrection(one, corrections));
};
