import { ServiceError } from '../../../../core/errors.ts';
import type { RecoveredKey } from '../../../../core/operator/organizations.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import { makeApiKey, type Random } from '../keys/api-key.ts';
import { FIRST_USER } from './sign-up.ts';
import { isThere } from './unused.ts';

interface Options {
  /** Without the bounds of what callers append: an operator is not refused. */
  store: Pick<AccountStore, 'get' | 'record'>;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  keepInUse: (org: string, context: AccountContext) => Promise<void>;
}

/**
 * For an operator: a new key with every role for an organization that has lost its last one. `keep` receives
 * it before it is recorded. Throws `not_found`.
 */
export const makeRecover =
  ({ store, clock, random, keepInUse }: Options) =>
  async (
    org: string,
    context: AccountContext,
    keep?: (apiKey: string) => Promise<void>,
  ): Promise<RecoveredKey> => {
    if (!isThere(await store.get('organization', org)))
      throw new ServiceError('not_found', 'The organization is not known.');
    await keepInUse(org, context);
    const { keyId, apiKey, prefix, secretHash } = makeApiKey(random);
    await keep?.(apiKey);
    const event = accountEvent(
      'api_key.created',
      keyId,
      { org, now: clock(), context },
      {
        key_id: keyId,
        name: 'recovered by an operator',
        prefix,
        secret_hash: secretHash,
        roles: ['*'],
        user_id: FIRST_USER,
        session_id: null,
        strict: false,
        expires_at: null,
        addresses: null,
      },
    );
    if ((await store.record(event)) === 'conflict') throw new Error('two API keys with one id');
    return { id: keyId, api_key: apiKey };
  };
