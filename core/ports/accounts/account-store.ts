import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
  RotationDocument,
  RotationEvent,
} from '../../../projections/accounts/accounts-projection.ts';

/**
 * Serve the accounts as of the projection of their events. Throw `unavailable` until that projection has
 * caught up.
 */
export interface AccountStore {
  /** Include a rotation that is decided but not projected yet. */
  get<Kind extends AccountKind>(kind: Kind, id: string): Promise<AccountDocuments[Kind] | undefined>;
  /** Return all documents of a kind, of one organization or of all, in any order. */
  list<Kind extends AccountKind>(kind: Kind, org?: string): Promise<AccountDocuments[Kind][]>;
  /** Return the organization's API keys that are not revoked, in any order. */
  liveKeys(org: string): Promise<AccountDocuments['api_key'][]>;
  /** Return how many organizations there are, without those that were removed. */
  countOrganizations(): Promise<number>;
  /**
   * Return open sign-ups that have written nothing and were made by an instant (RFC 3339, UTC, milliseconds),
   * at most so many, in any order.
   */
  unusedSince(instant: string, most: number): Promise<AccountDocuments['organization'][]>;
  /** Return the deleted organizations of which something may be left to erase, in any order. */
  erasing(): Promise<AccountDocuments['organization'][]>;
  /**
   * Append an event unless one with its id exists: of any number of racing calls exactly one is `recorded`.
   * Resolve when the winning event can be read.
   */
  record(event: AccountEvent): Promise<'recorded' | 'conflict'>;
  /**
   * Append a rotation unless its token already has one. Resolve after the append, whether or not anything
   * projects it, with the rotation that all callers get from then on. A failed call may be repeated.
   */
  rotate(event: RotationEvent): Promise<{ outcome: 'recorded' | 'conflict'; rotation: RotationDocument }>;
  /**
   * Append an event whose projection nobody waits for. Resolve after the append; of several events with one
   * id the first counts.
   */
  note(event: AccountEvent): Promise<void>;
}
