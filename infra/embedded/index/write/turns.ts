import type { DatabaseSync } from 'node:sqlite';
import { bytesOfId } from '../projections-database.ts';
import {
  entryTimes,
  expiryColumns,
  FRAGMENT,
  openTell,
  originColumns,
  toldAt,
  type Write,
} from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';
import { openRelisting } from './relisting.ts';
import type { ScopeWriter } from './scope-writer.ts';
import type { StepTurns } from './stored.ts';

export const openTurnWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  metadata: MetadataWriter,
  { fresh, moved }: StepTurns,
): ((turn: Write<'turn'>) => void) => {
  const insert = database.prepare(`INSERT INTO ${FRAGMENT.into} ON CONFLICT (id) DO NOTHING`);
  const findLater = database.prepare('SELECT recorded FROM fragments WHERE id = ? AND offset > ?');
  const move = database.prepare(
    `UPDATE fragments SET place = ?1, offset = ?2, recorded = ?3, kept_from = iif(kept_from IS NULL, NULL, ?3) WHERE id = ?4`,
  );
  const relist = openRelisting(database, scopes, metadata);
  const tell = openTell(database);

  /** A partition is read in order: only a requeued dead letter can precede a stored copy. */
  const writeCopy = (turn: Write<'turn'>): void => {
    const id = bytesOfId(turn.id)!;
    tell(id, turn.origin);
    const later = findLater.get(id, turn.origin.offset);
    if (!later) return;
    const { place, offset, recorded } = originColumns(turn.origin);
    move.run(place, offset, recorded, id);
    relist(id, turn);
    scopes.forgetFragments();
    moved.set(turn.id, new Date(Number(later.recorded)).toISOString().slice(0, 10));
  };

  return turn => {
    const { timestamp, role, document, origin } = turn;
    const scope = scopes.rowIds(turn.org, turn.user, turn.session);
    const { place, offset, recorded } = originColumns(origin);
    const number = turn.active ? metadata.numberOf(scope, turn.metadata) : null;
    const { expires, kept_from } = expiryColumns(origin);
    const row = FRAGMENT.values({
      id: bytesOfId(turn.id)!,
      kind: turn.active ? 0 : 2,
      organization: scope.organization,
      partition: scope.partition,
      session: scope.session,
      timestamp,
      passive: turn.passive ? 1 : 0,
      turn: null,
      source: null,
      fact: null,
      fact_key: null,
      fact_from: null,
      corrects: null,
      corrects_key: null,
      metadata: number,
      role,
      document,
      text: Buffer.from(turn.text),
      told: toldAt(origin),
      place,
      offset,
      recorded,
      expires,
      kept_from,
    });
    const { changes, lastInsertRowid } = insert.run(...row);
    if (changes === 0) {
      metadata.clean([number]);
      writeCopy(turn);
      return;
    }
    fresh.add(turn.id);
    if (turn.active) {
      const listed = { timestamp, ...entryTimes(origin), kind: 0, role, document, metadata: number };
      scopes.add(scope, { number: Number(lastInsertRowid), ...listed });
    }
  };
};
