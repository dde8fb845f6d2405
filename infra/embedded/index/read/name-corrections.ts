import { makeKeptCorrections } from '../../../../core/caches/kept-corrections.ts';
import type { TurnDetails } from '../../../../core/ports.ts';
import { MOST_CORRECTIONS } from '../../../../domain/facts/bounds.ts';
import { NO_SESSION } from '../../../../schemas/events/curation/correction.ts';
import { scopeKey } from '../file/projections-database.ts';
import type { ProjectionsReader } from './projections-reader.ts';

/** Opens the read of a user's name corrections, as far as turns still say the names: in steps. */
export const openNameCorrections = (
  reader: ProjectionsReader,
  makeYieldWhenDue: () => () => Promise<void>,
): TurnDetails['nameCorrections'] => {
  const last = reader.prepare(
    `SELECT id, recorded FROM corrections WHERE partition = (SELECT no FROM scopes WHERE key = ?1) AND session = ?2
       AND about = 'names' AND recorded <= ?3 ORDER BY recorded DESC, offset DESC, id DESC LIMIT ${MOST_CORRECTIONS}`,
  );
  const said = reader.prepare('SELECT said FROM corrections WHERE id = ?');
  const named = reader.prepare(
    `SELECT e.normalised FROM json_each(?2) j CROSS JOIN entities e
       ON e.partition = (SELECT no FROM scopes WHERE key = ?1) AND e.normalised = j.value
     WHERE EXISTS (SELECT 1 FROM mentions WHERE entity = e.no)`,
  );
  const kept = makeKeptCorrections(makeYieldWhenDue);
  return async ({ org, user, asOf }) => {
    const key = scopeKey(org, user);
    return kept.read({
      key: asOf === undefined ? key : undefined,
      stored: last
        .all(key, NO_SESSION, asOf ?? Number.MAX_SAFE_INTEGER)
        .map(({ id, recorded }) => ({ id: String(id), recordedAt: Number(recorded) })),
      said: ids => {
        const texts = new Map<string, string>();
        for (const id of ids) {
          const row = said.get(id);
          if (row) texts.set(id, String(row.said));
        }
        return texts;
      },
      named: async labels =>
        named.all(key, JSON.stringify(labels)).map(({ normalised }) => String(normalised)),
    });
  };
};
