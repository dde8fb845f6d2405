import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { VECTORS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { addressColumns, type Write } from './fragments.ts';

const valuesOf = VECTORS.valuesOf(COLUMNS.vectors);

export const openVectorWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'rowIds'>,
): ((write: Write<'vectors'>) => void) => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${VECTORS.into}`);
  return write => {
    const { session } = scopes.rowIds(write.org, write.user, write.session);
    insert.run(...valuesOf(write, { session, ...addressColumns(write.origin) }));
  };
};
