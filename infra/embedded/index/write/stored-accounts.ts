import type { DatabaseSync } from 'node:sqlite';
import { DAY_MS } from '../../../../core/time.ts';
import {
  type AccountEvent,
  type AccountState,
  foldAccount,
} from '../../../../projections/accounts/accounts-projection.ts';
import { endOfDocument, endOfEvent } from '../../../../projections/accounts/lifetimes.ts';
import { type Retention, retentionsInForce } from '../../../../projections/accounts/retention.ts';
import { accountRow } from '../../../../projections/accounts/verified-accounts.ts';
import type { Row } from '../../../../projections/verify/row.ts';
import { openAccountDocuments } from '../../accounts/account-documents.ts';
import { openAccountEnds } from './account-ends.ts';
import type { StoredProjection } from './stored.ts';

const TABLES = `
  CREATE TABLE IF NOT EXISTS account_documents (kind TEXT NOT NULL, id TEXT NOT NULL, org TEXT NOT NULL,
    document TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS account_documents_by_org ON account_documents (kind, org);
  -- Open sign-ups that have written nothing, and organizations that were removed: a few of all (account-documents.ts).
  CREATE INDEX IF NOT EXISTS unused_organizations ON account_documents (document ->> 'created_at')
    WHERE document -> 'unused' IS NOT NULL;
  CREATE INDEX IF NOT EXISTS removed_organizations ON account_documents (document ->> 'pruned_at')
    WHERE document ->> 'pruned_at' IS NOT NULL;
  CREATE TABLE IF NOT EXISTS account_events (id TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS account_ends (ends INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
    PRIMARY KEY (ends, kind, id)) WITHOUT ROWID;
  -- The retentions of organizations, beside their documents: readers of all other tables ask for them (answers-reader.ts).
  CREATE TABLE IF NOT EXISTS retentions (org TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER NOT NULL,
    ms INTEGER NOT NULL, PRIMARY KEY (org, since, until, ms)) WITHOUT ROWID;
`;

/** No clock that records events is wrong by a day. */
const SLACK_MS = DAY_MS;

const DOCUMENTS = 'SELECT kind, id, org, document FROM account_documents';

/** Folds account events into their documents, each event only once, and drops ended ones. */
const openAccountWriter = (database: DatabaseSync): ((events: readonly AccountEvent[]) => void) => {
  const insertEvent = database.prepare('INSERT OR IGNORE INTO account_events VALUES (?)');
  const putDocument = database.prepare(
    'INSERT INTO account_documents VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET document = excluded.document',
  );
  const dropRetentions = database.prepare('DELETE FROM retentions WHERE org = ?');
  const putRetention = database.prepare('INSERT INTO retentions VALUES (?, ?, ?, ?)');
  const putRetentions = (org: string, retention: Retention): void => {
    dropRetentions.run(org);
    for (const { from, to, ms } of retentionsInForce(retention)) putRetention.run(org, from, to, ms);
  };
  const documents = openAccountDocuments(database);
  const ends = openAccountEnds(database);
  return events => {
    for (const event of events) {
      if (insertEvent.run(event.id).changes === 0) continue;
      ends.add('event', event.id, endOfEvent(event));
      for (const state of foldAccount(documents.get, event)) {
        const { kind, id, org, document } = state;
        putDocument.run(kind, id, org, JSON.stringify(document));
        ends.add(kind, id, endOfDocument(state));
        if (state.kind === 'organization' && state.document.retention)
          putRetentions(org, state.document.retention);
      }
    }
    const last = events.at(-1);
    if (last) ends.dropBefore(Date.parse(last.recorded_at) - SLACK_MS);
  };
};

function* accountRows(reader: DatabaseSync): Generator<Row> {
  for (const { kind, id, org, document } of reader.prepare(DOCUMENTS).iterate())
    yield accountRow({ kind, id, org, document: JSON.parse(String(document)) } as AccountState);
}

export const ACCOUNTS: StoredProjection<AccountEvent> = {
  tables: TABLES,
  openWriter: database => ({ write: openAccountWriter(database) }),
  rows: accountRows,
};
