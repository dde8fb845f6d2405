import type { DatabaseSync } from 'node:sqlite';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { entryTimes, type Write } from './fragments.ts';
import type { MetadataWriter } from './metadata.ts';

/**
 * Relists a fragment that replaced an earlier copy of itself: that copy's metadata, which the lists of its
 * scopes know too, gives way to its own. Copies of a write differ in metadata only if a client changed it
 * between two attempts.
 */
export const openRelisting = (
  database: DatabaseSync,
  scopes: Pick<ScopeWriter, 'rowIds' | 'add' | 'remove'>,
  metadata: MetadataWriter,
): ((id: Uint8Array, write: Write<'turn'> | Write<'observation'>) => void) => {
  const find = database.prepare(
    "SELECT no, kind, metadata FROM fragments WHERE id = ? AND (kind = 0 OR kind = 1 AND source = 'client')",
  );
  const update = database.prepare('UPDATE fragments SET metadata = ? WHERE no = ?');
  return (id, { org, user, session, metadata: terms, role, timestamp, origin, document }) => {
    const row = find.get(id);
    if (!row) return;
    const ids = scopes.rowIds(org, user, session);
    const own = metadata.numberOf(ids, terms);
    if (own === row.metadata) return;
    const number = Number(row.no);
    update.run(own, number);
    for (const scope of [ids.partition, ids.organization]) scopes.remove(scope, new Set([number]));
    scopes.add(ids, {
      number,
      timestamp,
      ...entryTimes(origin),
      kind: Number(row.kind),
      role,
      document: document!,
      metadata: own,
    });
    metadata.clean([row.metadata as number | null]);
  };
};
