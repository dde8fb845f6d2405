import type { DatabaseSync } from 'node:sqlite';
import { expiryColumns, originColumns, type Write } from './fragments.ts';
import { insertInto } from './insert.ts';
import type { ScopeWriter } from './scope-writer.ts';

const VECTORS = insertInto('vectors', [
  'turn',
  'model',
  'session',
  'place',
  'offset',
  'recorded',
  'expires',
  'kept_from',
  'vectors',
]);

export const openVectorWriter = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'rowIds'>,
  turnBytes: (id: string) => Uint8Array,
): ((write: Write<'vectors'>) => void) => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${VECTORS.into}`);
  return ({ org, user, session, turnId, model, vectors, origin }) => {
    const { place, offset, recorded } = originColumns(origin);
    const { expires, kept_from } = expiryColumns(origin);
    const row = VECTORS.values({
      turn: turnBytes(turnId),
      model,
      session: scopes.rowIds(org, user, session).session,
      place,
      offset,
      recorded,
      expires,
      kept_from,
      vectors,
    });
    insert.run(...row);
  };
};
