import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
} from '../../../projections/accounts/projection.ts';

/** Accounts as the projection of their events shows them. Throws `unavailable` while that isn't caught up. */
export interface AccountStore {
  get<Kind extends AccountKind>(kind: Kind, id: string): Promise<AccountDocuments[Kind] | undefined>;
  /** All of a kind, of one organization or of every one, in no promised order. */
  list<Kind extends AccountKind>(kind: Kind, org?: string): Promise<AccountDocuments[Kind][]>;
  /**
   * Appends an event unless one of its id is there: of any number of racing calls exactly one is `recorded`.
   * Resolves when the event that won can be read.
   */
  record(event: AccountEvent): Promise<'recorded' | 'conflict'>;
}
