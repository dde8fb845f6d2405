import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { hiddenIn, type Retract } from '../../../../../projections/recall/recall-writes.ts';
import { addressColumns } from '../recall/fragments.ts';
import { RETRACTED } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { IDENTITY, type WordRemover } from './remove-words.ts';

const valuesOf = RETRACTED.valuesOf(COLUMNS.retraction);

export interface RetractionWriter {
  /** Returns whether anything is hidden. Most files have no retraction, and every observation asks. */
  hasAny(): boolean;
  /** Returns whether the turn or observation was hidden, so that it must not be written again. */
  isHidden(id: Uint8Array): boolean;
  /** Hides from now on; `apply` removes the data that the file has. */
  add(retract: Retract): void;
  /** Removes the data hidden since the last call; returns whether there was any. */
  apply(): boolean;
  /** Called after a rollback. */
  forget(): void;
}

/**
 * Opens the writer of retractions. It keeps a turn's identity without its words, so that claims, usage and
 * re-sends still know it, and removes its observations and mentions, and all corrections of these. The words
 * stay in unused space of the file until that is overwritten: only an erasure destroys them.
 */
export const openRetractionWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'rowIds'>,
  remove: WordRemover,
): RetractionWriter => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${RETRACTED.into}`);
  const find = database.prepare('SELECT 1 FROM retracted WHERE id = ?');
  const findAny = database.prepare('SELECT 1 FROM retracted LIMIT 1');
  /** Undefined after a rollback. */
  let hasAny: boolean | undefined;
  let added: Retract[] = [];
  const followers = database.prepare(
    `SELECT DISTINCT lower(hex(f.id)) AS id FROM followed JOIN fragments f ON f.no = followed.fragment
     WHERE followed.id IN (SELECT unhex(value) FROM json_each(?))`,
  );

  return {
    hasAny: () => (hasAny ??= findAny.get() !== undefined),
    isHidden: id => find.get(id) !== undefined,
    add: retract => {
      const { session } = scopes.rowIds(retract.org, retract.user, retract.session);
      insert.run(...valuesOf(retract, { session, ...addressColumns(retract.origin) }));
      hasAny = true;
      added.push(retract);
    },
    apply: () => {
      if (added.length === 0) return false;
      const turns = added.filter(({ observationId }) => observationId === undefined);
      const observations = added.filter(({ observationId }) => observationId !== undefined);
      const following = followers.all(JSON.stringify(digitsOf(added))).map(({ id }) => String(id));
      added = [];
      remove({ turns: digitsOf(turns), observations: [...digitsOf(observations), ...following] }, IDENTITY);
      return true;
    },
    forget: () => {
      hasAny = undefined;
      added = [];
    },
  };
};

/** Returns the ids in hexadecimal digits. */
const digitsOf = (retractions: readonly Retract[]): string[] =>
  retractions.map(one => hiddenIn(one).slice(4));
