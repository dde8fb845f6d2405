import type { DatabaseSync } from 'node:sqlite';
import { type AccountEvent, foldAccount } from '../../../../projections/accounts/projection.ts';
import { openAccountDocuments } from '../../accounts/account-documents.ts';

/** Folds account events into their documents, each event once. */
export const openAccountWriter = (database: DatabaseSync): ((events: readonly AccountEvent[]) => void) => {
  const insertEvent = database.prepare('INSERT OR IGNORE INTO account_events VALUES (?)');
  const putDocument = database.prepare(
    'INSERT INTO account_documents VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET document = excluded.document',
  );
  const documents = openAccountDocuments(database);
  return events => {
    for (const event of events) {
      if (insertEvent.run(event.id).changes === 0) continue;
      for (const { kind, id, org, document } of foldAccount(documents.get, event))
        putDocument.run(kind, id, org, JSON.stringify(document));
    }
  };
};
