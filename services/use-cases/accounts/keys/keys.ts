import { isRangeWithin } from '../../../../core/address-ranges.ts';
import { ServiceError } from '../../../../core/errors.ts';
import type { AccountStore } from '../../../../core/ports/accounts/account-store.ts';
import { boundSession, seesAll } from '../../../../core/scope.ts';
import type { Principal } from '../../../../core/use-cases.ts';
import type { ApiKeyDocument } from '../../../../projections/accounts/accounts-projection.ts';
import type { AccountEvent, ApiKeyCreated } from '../../../../schemas/events/accounts.ts';
import {
  type CreateKeyBody,
  GRACE_SECONDS,
  type KeyAnswer,
  type NewKeyAnswer,
  type RotateKeyBody,
} from '../../../../schemas/http/api-keys.ts';
import { parseInstant } from '../../../../schemas/http/queries/instant.ts';
import { type AccountContext, accountEvent } from '../account-events.ts';
import { makeApiKey, type Random } from './api-key.ts';
import { makeCap } from './cap.ts';
import type { LastUse } from './last-use.ts';
import { isIdentity, refuseWider, rotatedAlready } from './rotation.ts';
import { isExpired } from './usable.ts';

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
  expires_at: key.expires_at ?? null,
  addresses: key.addresses ?? null,
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

/** A key that may more than the caller may not be handled by it. */
const refuseMoreRoles = (caller: Principal, { roles }: Pick<Reach, 'roles'>, verb: string): void => {
  if (!roles.every(role => holds(caller.roles, role)))
    throw forbidden(`A key with a role that the caller lacks can not be ${verb}.`);
};

/** Whether the caller handles keys of this user: its own alone, unless it may name any. */
const handles = (caller: Principal, { user_id }: Pick<Reach, 'user_id'>): boolean =>
  seesAll(caller) || user_id === caller.userId;

/** A new key may not exceed its creator: neither in its roles nor by acting as another user or session. */
const refuseMoreThanOwn = (creator: Principal, key: Reach): void => {
  if (!key.roles.every(role => holds(creator.roles, role)))
    throw forbidden('A key can not have a role that its creator lacks.');
  refuseOutside(creator, key);
  if (!handles(creator, key)) throw forbidden('A key for another user needs the role *.');
};

type Validity = Pick<ApiKeyCreated, 'expires_at' | 'addresses'>;

/**
 * Returns until when and from where a new key works: by default like the key that creates it, which it may
 * not exceed.
 */
const validityOf = (
  own: Pick<ApiKeyDocument, keyof Validity> | undefined,
  { expires_at, addresses }: CreateKeyBody,
  now: number,
): Validity => {
  const end = expires_at === undefined ? undefined : parseInstant(expires_at)!;
  if (end !== undefined && own?.expires_at && end > Date.parse(own.expires_at))
    throw forbidden('A key can not outlive the key that creates it.');
  if (own?.addresses && addresses?.some(range => !isRangeWithin(range, own.addresses!)))
    throw forbidden('A key can not have an address that its creator lacks.');
  if (end !== undefined && end <= now) throw hasPassed();
  return {
    expires_at: end === undefined ? (own?.expires_at ?? null) : new Date(end).toISOString(),
    addresses: addresses ? [...new Set(addresses)] : (own?.addresses ?? null),
  };
};

const hasPassed = (): ServiceError => {
  const fault = { loc: ['body', 'expires_at'], type: 'value', message: 'must be in the future' };
  return new ServiceError('invalid', 'The request breaks a rule.', { details: { errors: [fault] } });
};

type About = Parameters<typeof accountEvent>[2];
type KeyEvent = Extract<AccountEvent, { type: 'api_key.created' }>;

export type Keys = ReturnType<typeof makeKeys>;

/** The API keys of the caller's organization. */
export const makeKeys = ({ store, clock, random, lastUse, mostKeys }: Options) => {
  const withinCap = makeCap();
  const capOf = (org: string) => ({
    name: org,
    most: mostKeys,
    count: async () => (await store.liveKeys(org)).filter(key => !isExpired(key, clock())).length,
    full: () => new ServiceError('conflict', `The organization has ${mostKeys} API keys; revoke one first.`),
  });

  /** Records a new key within the cap of its organization; returns what `record` does. */
  const keep = (event: KeyEvent) => withinCap(capOf(event.org_id), () => store.record(event));

  const missing = (): ServiceError => new ServiceError('not_found', 'There is no such API key.');

  /** A key that the caller handles and that isn't revoked. Throws `not_found`, `forbidden`. */
  const handled = async (principal: Principal, keyId: string, verb: string): Promise<ApiKeyDocument> => {
    const key = await store.get('api_key', keyId);
    if (!key || key.org_id !== principal.orgId || key.revoked_at) throw missing();
    if (!handles(principal, key)) throw missing();
    refuseOutside(principal, key);
    refuseMoreRoles(principal, key, verb);
    return key;
  };

  const revoke = (key_id: string, about: About) =>
    store.record(accountEvent('api_key.revoked', key_id, about, { key_id }));

  /** Lets a key work for some more milliseconds beside its successor; 0: ends it at once. */
  const retire = (key_id: string, rotated_to: string, graceMs: number, about: About) => {
    if (graceMs === 0) return revoke(key_id, about);
    const until = new Date(about.now + graceMs).toISOString();
    return store.record(accountEvent('api_key.retired', key_id, about, { key_id, rotated_to, until }));
  };

  return {
    keep,

    /** The keys that the caller handles, oldest first, without the revoked ones. */
    list: async (principal: Principal): Promise<KeyAnswer[]> => {
      const keys = await store.liveKeys(principal.orgId);
      return keys
        .filter(key => handles(principal, key))
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
      const now = clock();
      const validity = validityOf(await store.get('api_key', principal.keyId), body, now);
      const { keyId, apiKey, prefix, secretHash } = makeApiKey(random);
      const record = { key_id: keyId, name: body.name, prefix, secret_hash: secretHash, ...reach };
      const about = { org: principal.orgId, now, context };
      const event = accountEvent('api_key.created', keyId, about, { ...record, strict, ...validity });
      const outcome = await keep(event);
      if (outcome === 'conflict') throw new Error('two API keys with one id');
      const document = { ...record, created_at: event.recorded_at, last_used_at: null };
      return { ...answerOf(document), strict, ...validity, api_key: apiKey };
    },

    /**
     * Throws `not_found` for a key that doesn't exist, is not the caller's to handle, or is revoked already;
     * `forbidden` for one that may more than the caller.
     */
    revoke: async (principal: Principal, keyId: string, context: AccountContext): Promise<void> => {
      await handled(principal, keyId, 'revoked');
      const outcome = await revoke(keyId, { org: principal.orgId, now: clock(), context });
      if (outcome === 'conflict') throw missing();
    },

    /**
     * Makes a key with the rights of another, which works for a grace period more. The new one is made first:
     * a call that ends between the two has locked nobody out. Throws as `revoke`, `forbidden` where the
     * caller would get more than it has, and `conflict` for a key that was rotated already.
     */
    rotate: async (
      principal: Principal,
      keyId: string,
      { grace_seconds = GRACE_SECONDS }: RotateKeyBody,
      context: AccountContext,
    ): Promise<NewKeyAnswer> => {
      const former = await handled(principal, keyId, 'rotated');
      const now = clock();
      if (isExpired(former, now)) throw missing();
      if (former.rotated_to !== undefined) throw rotatedAlready();
      if (former.roles.length === 0) throw isIdentity();
      refuseWider(await store.get('api_key', principal.keyId), former);
      const { keyId: key_id, apiKey, prefix, secretHash: secret_hash } = makeApiKey(random);
      const { name, roles, user_id, session_id, strict = false } = former;
      const record = { key_id, name, prefix, secret_hash, roles, user_id, session_id };
      const validity = { expires_at: former.expires_at ?? null, addresses: former.addresses ?? null };
      const about = { org: principal.orgId, now, context };
      const event = accountEvent('api_key.created', key_id, about, { ...record, strict, ...validity });
      // While both work there is one more.
      const cap = capOf(principal.orgId);
      const roomy = { ...cap, most: cap.most === 0 ? 0 : cap.most + 1 };
      if ((await withinCap(roomy, () => store.record(event))) === 'conflict')
        throw new Error('two API keys with one id');
      const ended = await retire(keyId, key_id, 1_000 * grace_seconds, about).catch(error => ({ error }));
      if (ended === 'recorded') {
        const document = { ...record, created_at: event.recorded_at, last_used_at: null };
        return { ...answerOf(document), strict, ...validity, api_key: apiKey };
      }
      // Nobody is told its secret.
      await revoke(key_id, about);
      throw ended === 'conflict' ? rotatedAlready() : ended.error;
    },
  };
};
