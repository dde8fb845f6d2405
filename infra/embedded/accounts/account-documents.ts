import type { AccountState, GetDocument } from '../../../projections/accounts/projection.ts';
import type { ProjectionsReader } from '../index/projections-reader.ts';

export interface AccountDocuments {
  get: GetDocument;
  list(kind: AccountState['kind'], org?: string): AccountState['document'][];
}

/** Reads organizations, API keys and token families as JSON documents by (kind, id). */
export const openAccountDocuments = (database: ProjectionsReader): AccountDocuments => {
  const get = database.prepare('SELECT document FROM account_documents WHERE kind = ? AND id = ?');
  const all = database.prepare('SELECT document FROM account_documents WHERE kind = ? ORDER BY id');
  const ofOrg = database.prepare(
    'SELECT document FROM account_documents WHERE kind = ? AND org = ? ORDER BY id',
  );
  return {
    get: ((kind: string, id: string) => {
      const row = get.get(kind, id);
      return row && JSON.parse(String(row.document));
    }) as GetDocument,
    list: (kind, org) =>
      (org === undefined ? all.all(kind) : ofOrg.all(kind, org)).map(row => JSON.parse(String(row.document))),
  };
};
