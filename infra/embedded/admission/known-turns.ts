import { bytesOfId } from '../index/file/projections-database.ts';
import type { ProjectionsReader } from '../index/read/projections-reader.ts';
import type { Unsettled } from './unsettled.ts';

export interface KnownTurns {
  /** Returns the known turns among the ids, with whether they have a fragment. */
  activeOf(ids: readonly string[]): Map<string, boolean>;
  /** Returns whether the projections' file has billed the event. */
  isBilled(eventId: string): boolean;
}

/** Looks up turns in the projections' file and among the events that it has not settled. */
export const openKnownTurns = (reader: ProjectionsReader, unsettled: Pick<Unsettled, 'turn'>): KnownTurns => {
  // One statement for all turns of a write: a thousand statements take three times as long, in one step. A
  // turn stays known after it expires or is retracted: if it is sent again, it is not stored or billed a
  // second time. Whether it is still shown, the caller asks.
  const findFragments = reader.prepare(
    `SELECT j.key AS at, f.kind IN (0, 3) OR EXISTS (SELECT 1 FROM retracted r WHERE r.id = f.id) AS active FROM json_each(?1) j CROSS JOIN main.fragments f ON f.id = unhex(substr(j.value, 5))`,
  );
  const findBilled = reader.prepare(
    'SELECT j.value AS id FROM json_each(?1) j CROSS JOIN usage_rows u ON u.id = j.value',
  );
  const findFragment = reader.prepare('SELECT 1 FROM main.fragments WHERE id = ?');
  const billedRow = reader.prepare('SELECT 1 FROM usage_rows WHERE id = ?');

  const storedActiveOf = (ids: readonly string[]): [string, boolean][] => {
    if (ids.length === 0) return [];
    const fragments = findFragments
      .all(JSON.stringify(ids))
      .map(({ at, active }): [string, boolean] => [ids[Number(at)]!, Number(active) === 1]);
    if (fragments.length === ids.length) return fragments;
    const found = new Set(fragments.map(([id]) => id));
    // An erased turn stays known: a client may still write with its key.
    const erased = findBilled
      .all(JSON.stringify(ids.filter(id => !found.has(id))))
      .map(({ id }): [string, boolean] => [String(id), false]);
    return [...fragments, ...erased];
  };

  return {
    activeOf: ids => {
      const recent = ids.flatMap((id): [string, boolean][] => {
        const turn = unsettled.turn(id);
        return turn ? [[id, turn.active]] : [];
      });
      const active = new Map(recent);
      for (const [id, isActive] of storedActiveOf(ids.filter(id => !active.has(id))))
        active.set(id, isActive);
      return active;
    },
    isBilled: eventId =>
      (eventId.startsWith('trn_') && findFragment.get(bytesOfId(eventId)!) !== undefined) ||
      billedRow.get(eventId) !== undefined,
  };
};
