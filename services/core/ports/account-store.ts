import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
} from '../../../projections/accounts/projection.ts';

/** Accounts according to the projection of their events. Throws `unavailable` until that has caught up. */
export interface AccountStore {
  get<Kind extends AccountKind>(kind: Kind, id: string): Promise<AccountDocuments[Kind] | undefined>;
  /** All of a kind, of one organization or of every one, in no particular order. */
  list<Kind extends AccountKind>(kind: Kind, org?: string): Promise<AccountDocuments[Kind][]>;
  /**
   * Appends an event unless there is one with its id: of any number of racing calls exactly one is `recorded`.
   * Resolves when the event that won can be read.
   */
  record(event: AccountEvent): Promise<'recorded' | 'conflict'>;
}
