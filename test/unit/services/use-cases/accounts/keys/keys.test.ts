import { describe, expect, test } from 'vitest';
import type { OwnLimits } from '../../../../../../core/operator/organizations.ts';
import { NO_BUDGETS } from '../../../../../../core/payers/budgets.ts';
import type { Caller, Principal } from '../../../../../../core/use-cases.ts';
import { RULES_VERSION } from '../../../../../../domain/screening/rules.ts';
import type { CreateKeyBody } from '../../../../../../schemas/http/api-keys.ts';
import type { Role } from '../../../../../../schemas/http/parts/roles.ts';
import { context, testAccounts } from '../../../../../support/worlds/accounts.ts';

const signedUp = async () => {
  const test = testAccounts();
  const principalFor = async (apiKey: string): Promise<Caller> => {
    const { access_token } = await test.accounts.exchange(apiKey, '192.0.2.1', context);
    return test.accounts.authenticate(access_token, '192.0.2.1');
  };
  const signUp = async (org_id: string): Promise<Caller> =>
    principalFor((await test.accounts.signUp({ org_id }, context)).api_key);
  const owner = await signUp('acme');
  const create = (body: CreateKeyBody, principal: Principal = owner) =>
    test.accounts.createKey(principal, body, context);
  const limited = async (roles: Role[], user_id?: string): Promise<Principal> =>
    principalFor((await create({ name: 'limited', roles, user_id })).api_key);
  return { ...test, owner, create, limited, signUp, principalFor };
};

describe('API keys', () => {
  test('are listed without secrets and hashes, oldest first', async () => {
    const { accounts, owner, create, pass } = await signedUp();
    pass(1_000);
    const second = await create({ name: 'second', roles: ['memory:read', 'memory:read'] });
    const keys = await accounts.listKeys(owner);
    expect(keys.map(({ name }) => name)).toEqual(['first key', 'second']);
    expect(keys[1]).toEqual({
      id: second.id,
      name: 'second',
      prefix: second.api_key.slice(0, 19),
      roles: ['memory:read'],
      user_id: 'owner',
      session_id: null,
      strict: false,
      expires_at: null,
      addresses: null,
      created_at: '2026-03-10T12:00:31.250Z',
      last_used_at: null,
    });
    expect(JSON.stringify(keys)).not.toContain('hash');
  });

  test("without roles have their creator's", async () => {
    const { create, limited } = await signedUp();
    expect((await create({ name: 'k' })).roles).toEqual(['*']);
    const keeper = await limited(['keys:manage', 'memory:read'], 'ada');
    expect(await create({ name: 'k' }, keeper)).toMatchObject({
      roles: ['keys:manage', 'memory:read'],
      user_id: 'ada',
    });
  });

  test.each<[string, CreateKeyBody]>([
    ['a role that its creator lacks', { name: 'k', roles: ['memory:read', 'memory:write'] }],
    ['every role', { name: 'k', roles: ['*'] }],
    ['the name of another user', { name: 'k', roles: ['memory:read'], user_id: 'owner' }],
  ])('nobody makes one with %s', async (_what, body) => {
    const { accounts, owner, create, limited } = await signedUp();
    const keeper = await limited(['keys:manage', 'memory:read'], 'ada');
    const before = await accounts.listKeys(owner);
    await expect(create(body, keeper)).rejects.toMatchObject({ code: 'forbidden', status: 403 });
    expect(await accounts.listKeys(owner)).toEqual(before);
    await create(body);
  });

  test('revoked once are gone: 404 from then on, also for two that revoke at a time', async () => {
    const { accounts, owner, create } = await signedUp();
    const { id } = await create({ name: 'k' });
    const revoke = () => accounts.revokeKey(owner, id, context);
    const outcomes = await Promise.all([1, 2, 3].map(() => revoke().catch(error => error.status)));
    expect(outcomes.sort()).toEqual([404, 404, undefined]);
    await expect(revoke()).rejects.toMatchObject({ status: 404 });
    expect((await accounts.listKeys(owner)).map(key => key.id)).not.toContain(id);
  });

  test('of another organization do not exist', async () => {
    const { accounts, owner, signUp, create } = await signedUp();
    const stranger = await signUp('globex');
    const { id } = await create({ name: 'k' });
    await expect(accounts.revokeKey(stranger, id, context)).rejects.toMatchObject({ status: 404 });
    expect((await accounts.listKeys(stranger)).map(key => key.id)).toEqual([stranger.keyId]);
    expect((await accounts.listKeys(owner)).map(key => key.id)).toContain(id);
  });

  test.each(['', 'x', '0'.repeat(16), '../acme', '__proto__'])('%j does not exist', async id => {
    const { accounts, owner } = await signedUp();
    await expect(accounts.revokeKey(owner, id, context)).rejects.toMatchObject({ status: 404 });
  });
});

describe('organizations', () => {
  test('are made once, by one of any number that try at a time', async () => {
    const { accounts, another, store } = await signedUp();
    const tries = await Promise.all(
      [accounts, another(), another()].map(one =>
        one.signUp({ org_id: 'globex' }, context).catch(error => error.status),
      ),
    );
    expect(tries.filter(outcome => outcome === 409)).toHaveLength(2);
    await expect(accounts.signUp({ org_id: 'globex' }, context)).rejects.toMatchObject({ code: 'conflict' });
    expect(store.events.filter(event => event.org_id === 'globex')).toHaveLength(1);
    const winner = tries.find(outcome => outcome !== 409);
    await accounts.exchange(winner.api_key, '192.0.2.1', context);
  });

  test('are not made when sign-up is closed', async () => {
    const { accounts } = testAccounts({ signup: 'closed' });
    expect(() => accounts.assertSignUpOpen()).toThrow('closed');
    await expect(accounts.signUp({ org_id: 'acme' }, context)).rejects.toMatchObject({ status: 403 });
    expect(await accounts.ensureLocalOrganization()).toMatchObject({ orgId: 'local' });
  });

  test('have the caps of the configuration until they get their own', async () => {
    const { accounts, owner, pass, signUp, create, principalFor } = await signedUp();
    pass(1);
    const globex = await signUp('globex');
    const me = {
      org_id: 'acme',
      user_id: 'owner',
      session_id: null,
      strict: false,
      roles: ['*'],
      created_at: '2026-03-10T12:00:30.250Z',
    };
    const defaults = { tokens_in: 1_000_000, tokens_out: 5_000_000 };
    expect(await accounts.me(owner)).toEqual({ ...me, plan: 'free', limits: defaults });

    const budgets = { names: 3, retractions: 4, erasures: 0 };
    const own = { tokens_in: 0, tokens_out: 10 };
    await accounts.setLimits('acme', { tokens_in: 5, tokens_out: 5, ...NO_BUDGETS });
    pass(-60_000); // a clock that was set back
    await accounts.setLimits('acme', { ...own, ...budgets });
    const { api_key } = await create({ name: 'capped' });
    const ownCaps = { tokensIn: own.tokens_in, tokensOut: own.tokens_out };
    expect(await principalFor(api_key)).toMatchObject({ caps: ownCaps, budgets });
    // By a key that is new to this process, and by one that it knows.
    for (let time = 1; time <= 2; time++)
      expect((await accounts.authenticateKey(api_key, '192.0.2.1', context)).caps).toEqual(ownCaps);
    expect(globex.caps).toEqual({ tokensIn: defaults.tokens_in, tokensOut: defaults.tokens_out });
    expect(await accounts.me(owner)).toEqual({ ...me, plan: 'custom', limits: own });
    const retention = { days: null, next: null };
    const screening = { screen: 'off', rules: RULES_VERSION, own: false };
    expect(await accounts.organizations()).toEqual([
      { org_id: 'acme', created_at: me.created_at, limits: { ...own, ...budgets }, retention, screening },
      {
        org_id: 'globex',
        created_at: '2026-03-10T12:00:30.251Z',
        limits: { ...defaults, ...NO_BUDGETS },
        retention,
        screening,
      },
    ]);
  });

  test.each([
    [-1, 0],
    [0, 1.5],
    [Number.NaN, 0],
    [0, 2e15],
    ['1', 0],
  ])('caps of %j and %j are refused', async (tokens_in, tokens_out) => {
    const { accounts } = await signedUp();
    const limits = { tokens_in, tokens_out, ...NO_BUDGETS } as OwnLimits;
    await expect(accounts.setLimits('acme', limits)).rejects.toMatchObject({ code: 'invalid' });
    await expect(
      accounts.setLimits('nobody', { tokens_in: 1, tokens_out: 1, ...NO_BUDGETS }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
