import type { ApiKeyDocument } from '../../../projections/accounts/projection.ts';
import type { CreateKeyBody, KeyAnswer, NewKeyAnswer } from '../../../schemas/http/accounts.ts';
import { ServiceError } from '../../core/errors.ts';
import type { AccountStore } from '../../core/ports/account-store.ts';
import type { Principal } from '../../core/use-cases.ts';
import { makeApiKey, type Random } from './api-key.ts';
import { makeCap } from './cap.ts';
import { type AccountContext, accountEvent } from './events.ts';

interface Options {
  store: AccountStore;
  /** Unix milliseconds. */
  clock: () => number;
  random: Random;
  /** The cap of live keys of an organization; 0: none. */
  mostKeys: number;
}

const answerOf = (key: Omit<ApiKeyDocument, 'org_id' | 'revoked_at' | 'secret_hash'>): KeyAnswer => ({
  id: key.key_id,
  name: key.name,
  prefix: key.prefix,
  roles: key.roles,
  user_id: key.user_id,
  session_id: key.session_id,
  created_at: key.created_at,
  last_used_at: key.last_used_at,
});

export const holds = (roles: readonly string[], role: string): boolean =>
  roles.includes('*') || roles.includes(role);

/** A new key may not exceed its creator: neither in its roles nor by acting as another user. */
const refuseMoreThanOwn = (creator: Principal, roles: readonly string[], userId: string): void => {
  if (!roles.every(role => holds(creator.roles, role))) {
    throw new ServiceError('forbidden', 'A key can not have a role that its creator lacks.');
  }
  if (userId !== creator.userId && !holds(creator.roles, '*')) {
    throw new ServiceError('forbidden', 'A key for another user needs the role *.');
  }
};

/** The API keys of the caller's organization. */
export const makeKeys = ({ store, clock, random, mostKeys }: Options) => {
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
        .map(answerOf);
    },

    create: async (
      principal: Principal,
      body: CreateKeyBody,
      context: AccountContext,
    ): Promise<NewKeyAnswer> => {
      const roles = [...new Set<string>(body.roles ?? principal.roles)];
      const userId = body.user_id ?? principal.userId;
      refuseMoreThanOwn(principal, roles, userId);
      const { keyId, apiKey, prefix, secretHash } = makeApiKey(random);
      const now = clock();
      const record = {
        key_id: keyId,
        name: body.name,
        prefix,
        secret_hash: secretHash,
        roles,
        user_id: userId,
        session_id: body.session_id ?? null,
      };
      const event = accountEvent('api_key.created', keyId, { org: principal.orgId, now, context }, record);
      const outcome = await withinCap(capOf(principal.orgId), () => store.record(event));
      if (outcome === 'conflict') throw new Error('two API keys with one id');
      const document = { ...record, created_at: event.recorded_at, last_used_at: null };
      return { ...answerOf(document), api_key: apiKey };
    },

    /** Throws `not_found` for a key that doesn't exist, belongs to another organization, or is revoked already. */
    revoke: async (principal: Principal, keyId: string, context: AccountContext): Promise<void> => {
      const missing = (): ServiceError => new ServiceError('not_found', 'There is no such API key.');
      const key = await store.get('api_key', keyId);
      if (!key || key.org_id !== principal.orgId || key.revoked_at) throw missing();
      const about = { org: principal.orgId, now: clock(), context };
      const outcome = await store.record(accountEvent('api_key.revoked', keyId, about, { key_id: keyId }));
      if (outcome === 'conflict') throw missing();
    },
  };
};
