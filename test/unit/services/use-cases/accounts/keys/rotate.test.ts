import { expect, test, vi } from 'vitest';
import type { Caller, Principal } from '../../../../../../core/use-cases.ts';
import type { CreateKeyBody } from '../../../../../../schemas/http/api-keys.ts';
import { context, testAccounts } from '../../../../../support/worlds/accounts.ts';

const DAY = 86_400;
const ADDRESS = '192.0.2.1';

const world = async () => {
  const made = testAccounts();
  const { accounts } = made;
  const principalOf = async (apiKey: string): Promise<Caller> =>
    accounts.authenticateKey(apiKey, ADDRESS, context);
  const owner = await principalOf((await accounts.signUp({ org_id: 'acme' }, context)).api_key);
  const create = (body: Partial<CreateKeyBody> = {}, by: Principal = owner) =>
    accounts.createKey(by, { name: 'bot', ...body }, context);
  const rotate = (id: string, grace_seconds?: number, by: Principal = owner) =>
    accounts.rotateKey(by, id, grace_seconds === undefined ? {} : { grace_seconds }, context);
  const statusOf = (apiKey: string): Promise<number> =>
    accounts.authenticateKey(apiKey, ADDRESS, context).then(
      () => 200,
      error => error.status,
    );
  return { ...made, owner, create, rotate, principalOf, statusOf };
};

test('a rotated key has the rights of the former, which works for a day more', async () => {
  const { create, rotate, statusOf, principalOf, pass, accounts, owner } = await world();
  const body = {
    ...{ roles: ['memory:read'] as const, user_id: 'ada', session_id: 'monday', strict: true },
    ...{ expires_at: '2030-01-01T00:00:00Z', addresses: ['192.0.2.0/24'] },
  };
  const former = await create({ ...body, roles: [...body.roles] });
  pass(1_000);
  const successor = await rotate(former.id);
  const { id, api_key, prefix, created_at, ...same } = successor;
  const { id: _, api_key: secret, prefix: __, created_at: ___, ...before } = former;
  expect(same).toEqual(before);
  expect(id).not.toBe(former.id);
  expect(api_key).not.toBe(secret);
  expect(api_key).toContain(prefix);
  expect(created_at).toMatch(/Z$/);
  expect(await principalOf(api_key)).toMatchObject({ userId: 'ada', sessionId: 'monday', strict: true });
  const listed = (await accounts.listKeys(owner)).filter(({ name }) => name === 'bot');
  expect(listed.map(key => [key.id, key.expires_at])).toEqual([
    [former.id, '2026-03-11T12:00:31.250Z'],
    [id, '2030-01-01T00:00:00.000Z'],
  ]);
  expect([await statusOf(secret), await statusOf(api_key)]).toEqual([200, 200]);
  pass(DAY * 1_000 - 1);
  expect(await statusOf(secret)).toBe(200);
  pass(1);
  expect([await statusOf(secret), await statusOf(api_key)]).toEqual([401, 200]);
});

test('without a grace period the former is revoked at once, with its tokens', async () => {
  const { create, rotate, statusOf, accounts } = await world();
  const former = await create();
  const { access_token } = await accounts.exchange(former.api_key, ADDRESS, context);
  const successor = await rotate(former.id, 0);
  expect([await statusOf(former.api_key), await statusOf(successor.api_key)]).toEqual([403, 200]);
  await expect(accounts.authenticate(access_token, ADDRESS)).rejects.toMatchObject({ status: 403 });
});

test('a grace period never lengthens the life of the former', async () => {
  const { create, rotate, accounts, owner } = await world();
  const former = await create({ expires_at: '2026-03-10T13:00:00Z' });
  await rotate(former.id, 7 * DAY);
  const found = (await accounts.listKeys(owner)).find(({ id }) => id === former.id);
  expect(found?.expires_at).toBe('2026-03-10T13:00:00.000Z');
});

test('a key rotates itself', async () => {
  const { create, rotate, principalOf, statusOf } = await world();
  const former = await create({ roles: ['keys:manage', 'memory:read'], user_id: 'ada' });
  const successor = await rotate(former.id, 0, await principalOf(former.api_key));
  expect([await statusOf(former.api_key), await statusOf(successor.api_key)]).toEqual([403, 200]);
});

test('a key is rotated once, by one of any number that try at a time, and nobody gets two', async () => {
  const { create, rotate, accounts, owner } = await world();
  const former = await create();
  const tries = await Promise.all([1, 2, 3].map(() => rotate(former.id).catch(error => error.status)));
  expect(tries.filter(one => one === 409)).toHaveLength(2);
  await expect(rotate(former.id)).rejects.toMatchObject({ code: 'conflict' });
  expect((await accounts.listKeys(owner)).filter(({ name }) => name === 'bot')).toHaveLength(2);
});

test('nobody gets more than it has by a rotation', async () => {
  const { create, rotate, principalOf, accounts, owner } = await world();
  const manager = { roles: ['keys:manage', 'memory:read'] as CreateKeyBody['roles'], user_id: 'ada' };
  const keeper = await principalOf((await create(manager)).api_key);
  const short = await principalOf((await create({ ...manager, expires_at: '2026-04-01T00:00:00Z' })).api_key);
  const bound = await principalOf((await create({ ...manager, addresses: ['192.0.2.0/24'] })).api_key);
  const strict = await principalOf(
    (await create({ ...manager, session_id: 'monday', strict: true })).api_key,
  );
  const own = { roles: ['memory:read'] as CreateKeyBody['roles'], user_id: 'ada' };
  const keys = {
    more: await create({ ...own, roles: ['memory:write'] }),
    others: await create({ ...own, user_id: 'grace' }),
    endless: await create(own),
    later: await create({ ...own, expires_at: '2026-05-01T00:00:00Z' }),
    sooner: await create({ ...own, expires_at: '2026-03-20T00:00:00Z' }),
    near: await create({ ...own, addresses: ['192.0.2.7'] }),
    far: await create({ ...own, addresses: ['192.0.2.7', '198.51.100.1'] }),
    session: await create({ ...own, session_id: 'friday', strict: true }),
  };
  const before = (await accounts.listKeys(owner)).length;
  const status = (by: Principal, key: keyof typeof keys): Promise<number> =>
    rotate(keys[key].id, 60, by).then(
      () => 201,
      error => error.status,
    );
  expect(await status(keeper, 'more')).toBe(403);
  expect(await status(keeper, 'others')).toBe(404);
  expect(await status(short, 'endless')).toBe(403);
  expect(await status(short, 'later')).toBe(403);
  expect(await status(bound, 'endless')).toBe(403);
  expect(await status(bound, 'far')).toBe(403);
  expect(await status(strict, 'session')).toBe(403);
  expect(await status(strict, 'endless')).toBe(403);
  expect((await accounts.listKeys(owner)).length).toBe(before);
  expect(await status(short, 'sooner')).toBe(201);
  expect(await status(bound, 'near')).toBe(201);
  expect(await status(keeper, 'endless')).toBe(201);
});

test('there is no key to rotate where it is unknown, revoked, expired, or of another organization', async () => {
  const { create, rotate, accounts, owner, pass, principalOf } = await world();
  const revoked = await create();
  await accounts.revokeKey(owner, revoked.id, context);
  const expired = await create({ expires_at: '2026-03-10T13:00:00Z' });
  const living = await create();
  pass(3_600_000);
  for (const id of ['x', '0'.repeat(16), '__proto__', revoked.id, expired.id])
    await expect(rotate(id), id).rejects.toMatchObject({ status: 404 });
  const stranger = await principalOf((await accounts.signUp({ org_id: 'globex' }, context)).api_key);
  await expect(rotate(living.id, 60, stranger)).rejects.toMatchObject({ status: 404 });
});

test('a rotation that can not end the former makes no key that works', async () => {
  const { create, rotate, accounts, owner, store, statusOf } = await world();
  const former = await create();
  const record = store.record;
  vi.spyOn(store, 'record').mockImplementation(event =>
    event.type === 'api_key.retired' ? Promise.reject(new Error('the log is away')) : record(event),
  );
  await expect(rotate(former.id)).rejects.toThrow('the log is away');
  vi.restoreAllMocks();
  expect((await accounts.listKeys(owner)).filter(({ name }) => name === 'bot').map(({ id }) => id)).toEqual([
    former.id,
  ]);
  expect(await statusOf(former.api_key)).toBe(200);
  await rotate(former.id);
});
