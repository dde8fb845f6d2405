import type { ApiKeyDocument } from '../../../projections/accounts/accounts-projection.ts';
import type { SignUpAnswer } from '../../../schemas/http/accounts.ts';
import { addressClass } from '../audit/address-class.ts';
import type { AuditNotes, Noted } from '../audit/audit-notes.ts';
import type { AccountContext } from './account-events.ts';
import { parseApiKey } from './keys/api-key.ts';

/**
 * Notes in the audit log the keys that come and the organizations that are made. Nobody waits for it:
 * a log that can't be reached locks nobody out.
 */
export const makeAccountEntries = ({ note }: Pick<AuditNotes, 'note'>) => {
  const noteOf =
    (action: 'sign_in' | 'keys.first_use', outcome: Noted['outcome']) =>
    (key: ApiKeyDocument, { correlationId }: AccountContext, address: string): void =>
      void note(
        {
          org: key.org_id,
          requestId: correlationId,
          action,
          outcome,
          actor_kind: 'key',
          actor_key: key.key_id,
          actor_user: key.user_id,
          actor_address: addressClass(address),
          target_kind: 'key',
          target_id: key.key_id,
          target_user: null,
        },
        'hourly',
      );
  return {
    firstUsed: noteOf('keys.first_use', 'done'),
    signedIn: noteOf('sign_in', 'done'),
    /** The key is known, and is revoked, expired or not for this address. */
    notSignedIn: noteOf('sign_in', 'refused'),
    /** An organization was made, with its first key. `address`: null: by an operator. */
    made: (
      { org_id, api_key }: Pick<SignUpAnswer, 'org_id' | 'api_key'>,
      { correlationId }: AccountContext,
      address: string | null,
    ): void =>
      void note(
        {
          org: org_id,
          requestId: correlationId,
          action: 'organization.create',
          outcome: 'done',
          actor_kind: address === null ? 'operator' : 'sign_up',
          actor_key: null,
          actor_user: null,
          actor_address: address === null ? null : addressClass(address),
          target_kind: 'key',
          target_id: parseApiKey(api_key)?.keyId ?? null,
          target_user: null,
        },
        'each',
      ),
  };
};
