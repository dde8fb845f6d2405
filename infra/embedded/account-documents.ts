import type { DatabaseSync } from 'node:sqlite';
import type { AccountState } from '../../projections/accounts/projection.ts';

type Get = Parameters<typeof import('../../projections/accounts/projection.ts').foldAccount>[0];

export interface AccountDocuments {
  get: Get;
  list(kind: AccountState['kind'], org?: string): AccountState['document'][];
  put(state: AccountState): void;
}

/** Organizations, API keys and token families as JSON documents by (kind, id). */
export const openAccountDocuments = (database: DatabaseSync, readOnly = false): AccountDocuments => {
  const get = database.prepare('SELECT document FROM account_documents WHERE kind = ? AND id = ?');
  const all = database.prepare('SELECT document FROM account_documents WHERE kind = ? ORDER BY id');
  const ofOrg = database.prepare(
    'SELECT document FROM account_documents WHERE kind = ? AND org = ? ORDER BY id',
  );
  const put = readOnly
    ? undefined
    : database.prepare(
        'INSERT INTO account_documents VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET document = excluded.document',
      );
  return {
    get: ((kind: string, id: string) => {
      const row = get.get(kind, id);
      return row && JSON.parse(String(row.document));
    }) as Get,
    list: (kind, org) =>
      (org === undefined ? all.all(kind) : ofOrg.all(kind, org)).map(row => JSON.parse(String(row.document))),
    put: ({ kind, id, org, document }) => {
      put?.run(kind, id, org, JSON.stringify(document));
    },
  };
};
