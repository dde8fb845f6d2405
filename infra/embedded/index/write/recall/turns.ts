import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS, WORDS } from '../../../../../projections/recall/columns.ts';
import { bytesOfId } from '../../file/projections-database.ts';
import { FRAGMENTS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import type { StepTurns } from '../stored.ts';
import { addressColumns, entryTimes, fragmentColumns, openTell, type Write } from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';
import { openRelisting } from './relisting.ts';

const valuesOfTurn = FRAGMENTS.valuesOf(COLUMNS.turn);
const valuesOfIdentity = FRAGMENTS.valuesOf(
  COLUMNS.turn.filter(column => !(WORDS.includes(column) && column.isNullable)),
);

export const openTurnWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  metadata: MetadataWriter,
  { fresh, moved }: StepTurns,
): ((turn: Write<'turn'>) => void) => {
  const insert = database.prepare(`INSERT INTO ${FRAGMENTS.into} ON CONFLICT (id) DO NOTHING`);
  const findLater = database.prepare('SELECT recorded FROM fragments WHERE id = ? AND offset > ?');
  const move = database.prepare(
    `UPDATE fragments SET log_partition = ?1, offset = ?2, recorded = ?3, kept_from = iif(kept_from IS NULL, NULL, ?3) WHERE id = ?4`,
  );
  const relist = openRelisting(database, scopes, metadata);
  const tell = openTell(database);

  /**
   * Writes another copy. A partition is read in order: only a requeued dead letter can precede a stored copy.
   */
  const writeCopy = (turn: Write<'turn'>): void => {
    const id = bytesOfId(turn.id)!;
    tell(id, turn.origin);
    const later = findLater.get(id, turn.origin.offset);
    if (!later) return;
    const { log_partition, offset } = addressColumns(turn.origin);
    move.run(log_partition, offset, turn.origin.recordedAt, id);
    relist(id, turn);
    scopes.forgetFragments();
    moved.set(turn.id, new Date(Number(later.recorded)).toISOString().slice(0, 10));
  };

  return turn => {
    const { timestamp, role, document, origin } = turn;
    const scope = scopes.rowIds(turn.org, turn.user, turn.session);
    const number = turn.active ? metadata.numberOf(scope, turn.metadata) : null;
    const columns = fragmentColumns(scope, number, origin);
    const values = turn.active
      ? valuesOfTurn(turn, { kind: 0, ...columns })
      : valuesOfIdentity(turn, { kind: 2, ...columns });
    const { changes, lastInsertRowid } = insert.run(...values);
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
