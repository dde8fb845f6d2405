import type {
  AccountDocuments,
  AccountEvent,
  AccountKind,
  RotationDocument,
  RotationEvent,
} from '../../../projections/accounts/projection.ts';

/** Accounts as of the projection of their events. Throws `unavailable` until that projection has caught up. */
export interface AccountStore {
  /** Also finds a rotation that is decided and not projected yet. */
  get<Kind extends AccountKind>(kind: Kind, id: string): Promise<AccountDocuments[Kind] | undefined>;
  /** All documents of a kind, of one organization or of all, in no particular order. */
  list<Kind extends AccountKind>(kind: Kind, org?: string): Promise<AccountDocuments[Kind][]>;
  /** The API keys of an organization that are not revoked, in no particular order. */
  liveKeys(org: string): Promise<AccountDocuments['api_key'][]>;
  countOrganizations(): Promise<number>;
  /**
   * Appends an event unless one with its id exists: of any number of racing calls exactly one is `recorded`. Resolves
   * when the winning event can be read.
   */
  record(event: AccountEvent): Promise<'recorded' | 'conflict'>;
  /**
   * Appends a rotation unless one of its token exists. Resolves after the append, whether or not anything projects it,
   * with the rotation that all callers get from then on. A call that failed may be repeated.
   */
  rotate(event: RotationEvent): Promise<{ outcome: 'recorded' | 'conflict'; rotation: RotationDocument }>;
  /** Appends an event that nobody waits to read. Resolves after the append; of several with one id the first counts. */
  note(event: AccountEvent): Promise<void>;
}
