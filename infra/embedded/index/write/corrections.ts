import type { DatabaseSync } from 'node:sqlite';
import { originColumns, type Write } from './fragments.ts';
import { insertInto } from './insert.ts';
import type { ScopeWriter } from './scope-writer.ts';

const CORRECTION = insertInto('corrections', [
  'id',
  'partition',
  'session',
  'said',
  'place',
  'offset',
  'recorded',
]);

/** A session is kept by its name: a title alone makes no session. */
export const openCorrectionWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'partition'>,
): ((correction: Write<'correction'>) => void) => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${CORRECTION.into}`);
  return ({ id, org, user, session, said, origin }) => {
    const partition = scopes.partition(org, user);
    insert.run(
      ...CORRECTION.values({ id, partition, session, said: JSON.stringify(said), ...originColumns(origin) }),
    );
  };
};
