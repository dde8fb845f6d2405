import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
} from '../../../projections/accounts/projection.ts';

/** Accounts as of the projection of their events. Throws `unavailable` until that projection has caught up. */
export interface AccountStore {
  get<Kind extends AccountKind>(kind: Kind, id: string): Promise<AccountDocuments[Kind] | undefined>;
  /** All documents of a kind, of one organization or of all, in no particular order. */
  list<Kind extends AccountKind>(kind: Kind, org?: string): Promise<AccountDocuments[Kind][]>;
  /**
   * Appends an event unless one with its id exists: of any number of racing calls exactly one is `recorded`. Resolves
   * when the winning event can be read.
   */
  record(event: AccountEvent): Promise<'recorded' | 'conflict'>;
}
