import type { DatabaseSync } from 'node:sqlite';
import { COLUMNS } from '../../../../../projections/recall/columns.ts';
import { ENRICHMENTS } from '../rows/recall-tables.ts';
import type { ScopeWriter } from '../scopes/scope-writer.ts';
import { addressColumns, type Write } from './fragments.ts';

const valuesOf = ENRICHMENTS.valuesOf(COLUMNS.enriched);

export const openEnrichmentWriter = (
  database: DatabaseSync,
  scopes: ScopeWriter,
): ((enriched: Write<'enriched'>) => void) => {
  const insert = database.prepare(`INSERT OR IGNORE INTO ${ENRICHMENTS.into}`);
  return enriched => {
    const { session } = scopes.rowIds(enriched.org, enriched.user, enriched.session);
    insert.run(...valuesOf(enriched, { session, ...addressColumns(enriched.origin) }));
  };
};
