import { bytesOfId } from '../index/projections-database.ts';
import type { ProjectionsReader } from '../index/projections-reader.ts';
import type { Unsettled } from './unsettled.ts';

export interface KnownTurns {
  /** Whether a known turn has a fragment; undefined when the turn isn't known. */
  isActive(id: string): boolean | undefined;
  /** Whether the projections' file has billed the event. */
  isBilled(eventId: string): boolean;
}

/** Looks up turns in the projections' file and among the events that it has not settled. */
export const openKnownTurns = (reader: ProjectionsReader, unsettled: Pick<Unsettled, 'turn'>): KnownTurns => {
  const findFragment = reader.prepare('SELECT kind FROM fragments WHERE id = ?');
  const billedRow = reader.prepare('SELECT 1 FROM usage_rows WHERE id = ?');
  return {
    isActive: id => {
      const recent = unsettled.turn(id);
      if (recent) return recent.active;
      const row = findFragment.get(bytesOfId(id)!);
      // An erased turn stays known: a client may still write with its key.
      if (!row) return billedRow.get(id) ? false : undefined;
      return Number(row.kind) === 0;
    },
    isBilled: eventId =>
      (eventId.startsWith('trn_') && findFragment.get(bytesOfId(eventId)!) !== undefined) ||
      billedRow.get(eventId) !== undefined,
  };
};
