import { hash } from 'node:crypto';
import { boundedMap } from '../../../../core/caches/bounded-map.ts';
import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports.ts';
import type { Caller } from '../../../../core/use-cases.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';
import type { AccountContext } from '../account-events.ts';
import { assertNotGone } from '../organizations/unused.ts';
import { parseApiKey, secretMatches } from './api-key.ts';
import type { Failures } from './failures.ts';
import type { LastUse } from './last-use.ts';
import { assertUsable } from './usable.ts';

/** The most accepted keys that are remembered. */
const REMEMBERED = 10_000;

interface Options {
  store: Pick<AccountStore, 'get'>;
  /** Unix milliseconds. */
  clock: () => number;
  failures: Failures;
  lastUse: LastUse;
  /** Told of a key that is known and may not be used, before that is thrown. */
  onRefused?: ((key: ApiKeyDocument, context: AccountContext, address: string) => void) | undefined;
}

/** An organization's allowances of a day, and what is screened of what it sends. */
export type Allowed = Pick<Caller, 'caps' | 'budgets' | 'screen' | 'isUnused'>;

export type CheckKey = (apiKey: string, address: string, context: AccountContext) => Promise<ApiKeyDocument>;

/**
 * The record of a presented API key: 401 for an unknown or expired key, 403 for a revoked one or one of other
 * addresses, and 429 instead of any of them after too many failures of the address. A valid key is taken
 * whatever failed before.
 */
export const makeCheckKey =
  ({ store, clock, failures, lastUse, onRefused }: Options): CheckKey =>
  async (apiKey, address, context) => {
    const presented = parseApiKey(apiKey);
    const key = presented && (await store.get('api_key', presented.keyId));
    const matches = secretMatches(presented?.secret ?? '', key?.secret_hash);
    const now = clock();
    if (!key || !matches) {
      await failures.add(address, presented?.keyId, now);
      throw new ServiceError('unauthenticated', 'The API key is not known.');
    }
    try {
      assertNotGone(await store.get('organization', key.org_id));
      assertUsable(key, address, now);
    } catch (error) {
      await failures.add(address, key.key_id, now);
      onRefused?.(key, context, address);
      throw error;
    }
    lastUse.note(key, context, address);
    return key;
  };

/**
 * The same for a key that comes with every call. One that was accepted before is no guess: once it is
 * revoked or expired, its calls don't count as failures of that address, from which a program may call with
 * the keys of many. Its organization's allowances are read with it.
 */
export const makeCheckKeyOfCall = ({
  store,
  clock,
  lastUse,
  allowedOf,
  check,
  onRefused,
}: Pick<Options, 'store' | 'clock' | 'lastUse' | 'onRefused'> & {
  allowedOf: (org: string) => Promise<Allowed>;
  check: CheckKey;
}) => {
  /** By digest of the key. */
  const accepted = boundedMap<{ id: string; org: string }>(REMEMBERED);

  return async (
    apiKey: string,
    address: string,
    context: AccountContext,
  ): Promise<{ key: ApiKeyDocument; allowed: Allowed }> => {
    const digest = hash('sha256', apiKey, 'base64');
    const before = accepted.get(digest);
    const [known, allowed] = before
      ? await Promise.all([store.get('api_key', before.id), allowedOf(before.org)])
      : [];
    try {
      if (known) assertUsable(known, address, clock());
    } catch (error) {
      onRefused?.(known!, context, address);
      throw error;
    }
    if (known && allowed) {
      lastUse.note(known, context, address);
      return { key: known, allowed };
    }
    accepted.delete(digest);
    const key = await check(apiKey, address, context);
    accepted.set(digest, { id: key.key_id, org: key.org_id });
    return { key, allowed: await allowedOf(key.org_id) };
  };
};
