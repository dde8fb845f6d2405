import type { DatabaseSync } from 'node:sqlite';
import { originColumns, type Write } from './fragments.ts';
import { insertInto } from './insert.ts';
import type { ScopeWriter } from './scope-writer.ts';

const ENRICHMENT = insertInto('enrichments', [
  'session',
  'turn',
  'outcome',
  'reason',
  'place',
  'offset',
  'recorded',
]);

export const openEnrichmentWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
  turnBytes: (id: string) => Uint8Array,
): ((enriched: Write<'enriched'>) => void) => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${ENRICHMENT.into}`);
  return ({ org, user, session, turnId, outcome, reason, origin }) => {
    const { place, offset, recorded } = originColumns(origin);
    const row = ENRICHMENT.values({
      session: scopes.rowIds(org, user, session).session,
      turn: turnBytes(turnId),
      outcome,
      reason,
      place,
      offset,
      recorded,
    });
    insert.run(...row);
  };
};
