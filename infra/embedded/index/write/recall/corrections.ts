import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { CORRECTIONS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { addressColumns, type Write } from './fragments.ts';

const valuesOf = CORRECTIONS.valuesOf(COLUMNS.correction);

/** Stores a session by its name: a title alone makes no session. */
export const openCorrectionWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'partition'>,
): ((correction: Write<'correction'>) => void) => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${CORRECTIONS.into}`);
  return correction => {
    const { org, user, session, origin } = correction;
    const partition = scopes.partition(org, user);
    insert.run(...valuesOf(correction, { partition, session, ...addressColumns(origin) }));
  };
};
