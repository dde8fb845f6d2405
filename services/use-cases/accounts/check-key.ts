import { createHash } from 'node:crypto';
import type { ApiKeyDocument } from '../../../projections/accounts/projection.ts';
import { boundedMap } from '../../core/bounded-map.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountStore } from '../../core/ports/account-store.ts';
import { parseApiKey, secretMatches } from './api-key.ts';
import type { AccountContext } from './events.ts';
import type { Failures } from './failures.ts';
import type { LastUse } from './last-use.ts';

/** The most accepted keys that are remembered. */
const REMEMBERED = 10_000;

interface Options {
  store: Pick<AccountStore, 'get'>;
  /** Unix milliseconds. */
  clock: () => number;
  failures: Failures;
  lastUse: LastUse;
}

const revoked = (): ServiceError => new ServiceError('forbidden', 'The API key is revoked.');

export type CheckKey = (apiKey: string, address: string, context: AccountContext) => Promise<ApiKeyDocument>;

/**
 * The record of a presented API key: 401 for an unknown key, 403 for a revoked one, 429 after too many failures of the
 * address. Both count as failures.
 */
export const makeCheckKey =
  ({ store, clock, failures, lastUse }: Options): CheckKey =>
  async (apiKey, address, context) => {
    await failures.check(address, clock());
    const presented = parseApiKey(apiKey);
    const key = presented && (await store.get('api_key', presented.keyId));
    const matches = secretMatches(presented?.secret ?? '', key?.secret_hash);
    const now = clock();
    if (!key || !matches) {
      await failures.add(address, presented?.keyId, now);
      throw new ServiceError('unauthenticated', 'The API key is not known.');
    }
    if (key.revoked_at) {
      await failures.add(address, key.key_id, now);
      throw revoked();
    }
    lastUse.note(key, context);
    return key;
  };

/**
 * The same for a key that comes with every call. One that was accepted before is no guess: it goes on while somebody else
 * at its address guesses keys, and once it is revoked, its calls don't count as failures of that address, from which a
 * program may call with the keys of many.
 */
export const makeCheckKeyOfCall = ({ check, ...options }: Options & { check: CheckKey }): CheckKey => {
  const { store, lastUse } = options;
  /** By digest of the key: its id. */
  const accepted = boundedMap<string>(REMEMBERED);

  return async (apiKey, address, context) => {
    const digest = createHash('sha256').update(apiKey).digest('base64');
    const id = accepted.get(digest);
    const known = id === undefined ? undefined : await store.get('api_key', id);
    if (known?.revoked_at) throw revoked();
    if (known) {
      lastUse.note(known, context);
      return known;
    }
    accepted.delete(digest);
    const key = await check(apiKey, address, context);
    accepted.set(digest, key.key_id);
    return key;
  };
};
