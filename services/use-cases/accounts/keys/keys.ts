import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import { boundSession, seesAll } from '../../../../core/scope.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';
import type { CreateKeyBody, KeyAnswer, NewKeyAnswer } from '../../../../schemas/http/api-keys.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import { makeApiKey, type Random } from './api-key.ts';
import { makeCap } from './cap.ts';
import type { LastUse } from './last-use.ts';

interface Options {
  store: AccountStore;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** The cap of live keys of an organization; 0: none. */
  mostKeys: number;
  lastUse: Pick<LastUse, 'at'>;
}

const answerOf = (key: Omit<ApiKeyDocument, 'org_id' | 'revoked_at' | 'secret_hash'>): KeyAnswer => ({
  id: key.key_id,
  name: key.name,
  prefix: key.prefix,
  roles: key.roles,
  user_id: key.user_id,
  session_id: key.session_id,
  strict: key.strict ?? false,
  created_at: key.created_at,
  last_used_at: key.last_used_at,
});

export const holds = (roles: readonly string[], role: string): boolean =>
  roles.includes('*') || roles.includes(role);

/** RFC 3339 in UTC sorts by time. */
const laterOf = (one: string | null, other: string | null): string | null =>
  (one ?? '') > (other ?? '') ? one : (other ?? one);

type Reach = Pick<ApiKeyDocument, 'roles' | 'user_id' | 'session_id' | 'strict'>;

const forbidden = (message: string): ServiceError => new ServiceError('forbidden', message);

/** A strict caller handles only strict keys of its own user and session. */
const refuseOutside = (caller: Principal, { user_id, session_id, strict }: Reach): void => {
  if (!caller.strict) return;
  const session = boundSession(caller) ?? session_id;
  if (!strict || user_id !== caller.userId || session_id !== session)
    throw forbidden('A strict key may only handle strict keys of its own user and session.');
};

/** A new key may not exceed its creator: neither in its roles nor by acting as another user or session. */
const refuseMoreThanOwn = (creator: Principal, key: Reach): void => {
  if (!key.roles.every(role => holds(creator.roles, role)))
    throw forbidden('A key can not have a role that its creator lacks.');
  refuseOutside(creator, key);
  if (key.user_id !== creator.userId && !seesAll(creator))
    throw forbidden('A key for another user needs the role *.');
};

/** The API keys of the caller's organization. */
export const makeKeys = ({ store, clock, random, lastUse, mostKeys }: Options) => {
  const withinCap = makeCap();
  const capOf = (org: string) => ({
    name: org,
    most: mostKeys,
    count: async () => (await store.liveKeys(org)).length,
    full: () => new ServiceError('conflict', `The organization has ${mostKeys} API keys; revoke one first.`),
  });

  return {
    /** Oldest first, without the revoked ones. */
    list: async (principal: Principal): Promise<KeyAnswer[]> => {
      const keys = await store.liveKeys(principal.orgId);
      return keys
        .sort((a, b) => (a.created_at < b.created_at ? -1 : Number(a.created_at > b.created_at)))
        .map(key => answerOf({ ...key, last_used_at: laterOf(key.last_used_at, lastUse.at(key.key_id)) }));
    },

    create: async (
      principal: Principal,
      body: CreateKeyBody,
      context: AccountContext,
    ): Promise<NewKeyAnswer> => {
      const strict = body.strict ?? principal.strict ?? false;
      const reach = {
        roles: [...new Set<string>(body.roles ?? principal.roles)],
        user_id: body.user_id ?? principal.userId,
        session_id: body.session_id ?? boundSession(principal) ?? null,
      };
      refuseMoreThanOwn(principal, { ...reach, ...(strict ? { strict } : {}) });
      const { keyId, apiKey, prefix, secretHash } = makeApiKey(random);
      const record = { key_id: keyId, name: body.name, prefix, secret_hash: secretHash, ...reach };
      const about = { org: principal.orgId, now: clock(), context };
      const event = accountEvent('api_key.created', keyId, about, { ...record, strict });
      const outcome = await withinCap(capOf(principal.orgId), () => store.record(event));
      if (outcome === 'conflict') throw new Error('two API keys with one id');
      const document = { ...record, created_at: event.recorded_at, last_used_at: null };
      return { ...answerOf(document), strict, api_key: apiKey };
    },

    /**
     * Throws `not_found` for a key that doesn't exist, belongs to another organization, or is revoked
     * already; `forbidden` for one that may more than the caller.
     */
    revoke: async (principal: Principal, keyId: string, context: AccountContext): Promise<void> => {
      const missing = (): ServiceError => new ServiceError('not_found', 'There is no such API key.');
      const key = await store.get('api_key', keyId);
      if (!key || key.org_id !== principal.orgId || key.revoked_at) throw missing();
      refuseOutside(principal, key);
      if (!key.roles.every(role => holds(principal.roles, role)))
        throw forbidden('A key with a role that the caller lacks can not be revoked.');
      const about = { org: principal.orgId, now: clock(), context };
      const outcome = await store.record(accountEvent('api_key.revoked', keyId, about, { key_id: keyId }));
      if (outcome === 'conflict') throw missing();
    },
  };
};
