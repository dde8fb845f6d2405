import type { KeptTurn, Listing } from '../../../../../core/ports.ts';
import { recordOffsetOf } from '../../../../../schemas/events/event-offset.ts';
import { bytesOfId, bytesOfTurnId, partitionOfNumber } from '../../file/projections-database.ts';
import type { ProjectionsReader } from '../projections-reader.ts';
import { fragmentOf, selectFragments } from '../read-fragment.ts';

/** Looks up turns and observations by their ids. */
export const openListedTurns = (
  reader: ProjectionsReader,
): Pick<Listing, 'offsets' | 'observation' | 'turn'> => {
  const oneTurn = reader.prepare(
    `${selectFragments('f.log_partition', 'f.offset', 'f.recorded', 'f.expires')}
     WHERE f.id = ?1 AND f.kind = 0 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3)`,
  );
  const oneObservation = reader.prepare(
    `${selectFragments('f.log_partition', 'f.read_offset', 'f.expires')} WHERE f.id = ?1 AND f.kind = 1 AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3)`,
  );
  const offsetOf = reader.prepare(
    `SELECT f.offset FROM fragments f CROSS JOIN scopes p ON p.no = f.partition
     WHERE f.id = ?1 AND (f.kind = 0 OR f.kind = 1 AND f.source = 'client') AND p.org = ?2 AND (?3 IS NULL OR p.user = ?3)`,
  );

  return {
    offsets: async ({ org, user }, ids) => {
      const rows = ids.map(id => [id, offsetOf.get(bytesOfId(id)!, org, user ?? null)] as const);
      return new Map(rows.flatMap(([id, row]) => (row ? [[id, Number(row.offset)] as const] : [])));
    },
    observation: async ({ org, user }, id) => {
      const bytes = id.startsWith('obs_') ? bytesOfId(id) : undefined;
      const row = bytes && oneObservation.get(bytes, org, user ?? null);
      if (!row) return undefined;
      const record = {
        ...partitionOfNumber(Number(row.log_partition)),
        offset: recordOffsetOf(Number(row.read_offset)),
      };
      const expiry = row.expires !== null && { expiresAt: Number(row.expires) };
      return { ...fragmentOf(row), ...expiry, record };
    },
    turn: async ({ org, user }, id): Promise<KeptTurn | undefined> => {
      const bytes = bytesOfTurnId(id);
      const row = bytes && oneTurn.get(bytes, org, user ?? null);
      if (!row) return undefined;
      const origin = {
        ...partitionOfNumber(Number(row.log_partition)),
        offset: Number(row.offset),
        recordedAt: Number(row.recorded),
        ...(row.expires !== null && { expiresAt: Number(row.expires) }),
      };
      return { fragment: fragmentOf(row), origin };
    },
  };
};
