import type { NameCorrection, TurnDetails } from '../../../../core/ports.ts';
import { MOST_CORRECTIONS } from '../../../../domain/facts/bounds.ts';
import { livingCorrections, namesSaidIn } from '../../../../domain/facts/names/living-names.ts';
import { NO_SESSION } from '../../../../schemas/events/curation/correction.ts';
import { scopeKey } from '../file/projections-database.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Opens the read of a user's name corrections, as far as turns still say the names. */
export const openNameCorrections = (reader: ProjectionsReader): TurnDetails['nameCorrections'] => {
  const last = reader.prepare(
    `SELECT said, recorded FROM corrections WHERE partition = (SELECT no FROM scopes WHERE key = ?1) AND session = ?2
       AND about = 'names' AND recorded <= ?3 ORDER BY recorded DESC, offset DESC, id DESC LIMIT ${MOST_CORRECTIONS}`,
  );
  const named = reader.prepare(
    `SELECT e.normalised FROM json_each(?2) j CROSS JOIN entities e
       ON e.partition = (SELECT no FROM scopes WHERE key = ?1) AND e.normalised = j.value
     WHERE EXISTS (SELECT 1 FROM mentions WHERE entity = e.no)`,
  );
  return async ({ org, user, asOf = Number.MAX_SAFE_INTEGER }) => {
    const key = scopeKey(org, user);
    const corrections = last
      .all(key, NO_SESSION, asOf)
      .reverse()
      .map(
        ({ said, recorded }): NameCorrection => ({
          ...JSON.parse(String(said)),
          recordedAt: Number(recorded),
        }),
      );
    const names = [...new Set(corrections.flatMap(namesSaidIn))];
    if (names.length === 0) return corrections;
    const living = named.all(key, JSON.stringify(names)).map(({ normalised }) => String(normalised));
    return livingCorrections(corrections, new Set(living));
  };
};
