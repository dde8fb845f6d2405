import type {
  AccountDocuments,
  AccountKind,
  AccountState,
} from '../../../../projections/accounts/accounts-projection.ts';
import { accountRow } from '../../../../projections/accounts/verified-accounts.ts';
import type { StoredRows } from '../../verifiable-rows.ts';

/** By kind: the property that contains the document's id. */
const ID_OF = {
  organization: 'org_id',
  api_key: 'key_id',
  rotation: 'token_id',
  family: 'family_id',
  webhook: 'webhook_id',
} as const satisfies Record<AccountKind, string>;

/** Returns the current account documents as rows to verify. */
export const accountRows = (
  list: (kind: AccountKind) => Promise<AccountDocuments[AccountKind][]>,
): StoredRows => ({
  open: async () => ({
    rows: async function* () {
      for (const [kind, idName] of Object.entries(ID_OF) as [AccountKind, string][]) {
        for (const document of await list(kind)) {
          const id = String((document as unknown as Record<string, unknown>)[idName]);
          yield accountRow({ kind, id, org: document.org_id, document } as AccountState);
        }
      }
    },
    derived: async () => [],
    close: async () => {},
  }),
  close: async () => {},
});
