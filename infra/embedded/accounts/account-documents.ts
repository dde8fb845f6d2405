import type {
  AccountState,
  ApiKeyDocument,
  GetDocument,
  OrganizationDocument,
} from '../../../projections/accounts/accounts-projection.ts';
import type { ProjectionsReader } from '../index/read/projections-reader.ts';

export interface AccountDocuments {
  get: GetDocument;
  list(kind: AccountState['kind'], org?: string): AccountState['document'][];
  liveKeys(org: string): ApiKeyDocument[];
  countOrganizations(): number;
  unusedSince(instant: string, most: number): OrganizationDocument[];
  erasing(): OrganizationDocument[];
}

/** Reads organizations, API keys and token families as JSON documents by (kind, id). */
export const openAccountDocuments = (database: ProjectionsReader): AccountDocuments => {
  const get = database.prepare('SELECT document FROM account_documents WHERE kind = ? AND id = ?');
  const all = database.prepare('SELECT document FROM account_documents WHERE kind = ? ORDER BY id');
  const ofOrg = database.prepare(
    'SELECT document FROM account_documents WHERE kind = ? AND org = ? ORDER BY id',
  );
  const live = database.prepare(
    `SELECT document FROM account_documents
     WHERE kind = 'api_key' AND org = ? AND document ->> 'revoked_at' IS NULL ORDER BY id`,
  );
  const organizations = database.prepare(
    `SELECT (SELECT count(*) FROM account_documents WHERE kind = 'organization') -
       (SELECT count(*) FROM account_documents WHERE document ->> 'pruned_at' IS NOT NULL)
       AS count`,
  );
  // Only organizations have these members; with the kind SQLite would look at all of them.
  const unused = database.prepare(
    `SELECT document FROM account_documents
     WHERE document -> 'unused' IS NOT NULL AND document ->> 'created_at' <= ? LIMIT ?`,
  );
  const erasing = database.prepare(
    `SELECT document FROM account_documents
     WHERE document ->> 'pruned_at' IS NOT NULL AND document -> 'erasing' IS NOT NULL`,
  );
  return {
    get: ((kind: string, id: string) => {
      const row = get.get(kind, id);
      return row && JSON.parse(String(row.document));
    }) as GetDocument,
    list: (kind, org) =>
      (org === undefined ? all.all(kind) : ofOrg.all(kind, org)).map(row => JSON.parse(String(row.document))),
    liveKeys: org => live.all(org).map(row => JSON.parse(String(row.document))),
    countOrganizations: () => Number(organizations.get()!.count),
    unusedSince: (instant, most) => unused.all(instant, most).map(row => JSON.parse(String(row.document))),
    erasing: () => erasing.all().map(row => JSON.parse(String(row.document))),
  };
};
