import { expect, test } from 'vitest';
import { makeTokenBuckets } from '../../../../../core/fairness/token-buckets.ts';
import { makeTill } from '../../../../../core/payers/till.ts';
import { context, testAccounts } from '../../../../support/worlds/accounts.ts';

const CAPS = { organizations: 3, keysPerOrganization: 2, refreshesPerDay: 4 };
const DAY_MS = 86_400_000;

const start = async () => {
  const world = testAccounts({ caps: CAPS });
  const accounts = world.another({
    pay: makeTill({ limiter: makeTokenBuckets(world.now), shortage: () => undefined }),
  });
  const { api_key } = await accounts.signUp({ org_id: 'acme' }, context);
  const exchange = async () => accounts.exchange(api_key, '192.0.2.1', context);
  const principal = await accounts.authenticate((await exchange()).access_token, '192.0.2.1');
  return { ...world, accounts, api_key, exchange, principal };
};

test('a refresh that is refused leaves its token good for later', async () => {
  const { accounts, exchange, pass, store } = await start();
  let token = (await exchange()).refresh_token;
  for (let i = 0; i < CAPS.refreshesPerDay; i++)
    token = (await accounts.refresh(token, '192.0.2.1', context)).answer.refresh_token;
  const refusal = { code: 'rate_limited', details: { error: 'rate_limited' }, retryAfter: 21_600 };
  await expect(accounts.refresh(token, '192.0.2.1', context)).rejects.toMatchObject(refusal);
  pass(DAY_MS / CAPS.refreshesPerDay);
  token = (await accounts.refresh(token, '192.0.2.1', context)).answer.refresh_token;
  await expect(accounts.refresh(token, '192.0.2.1', context)).rejects.toMatchObject({ code: 'rate_limited' });
  expect(store.events.filter(({ type }) => type === 'refresh_token.rotated')).toHaveLength(5);
});

test('a retry of a recorded refresh costs nothing', async () => {
  const { accounts, exchange } = await start();
  const { refresh_token } = await exchange();
  for (let i = 0; i < 3 * CAPS.refreshesPerDay; i++)
    await accounts.refresh(refresh_token, '192.0.2.1', context);
  expect(
    (await accounts.refresh((await exchange()).refresh_token, '192.0.2.1', context)).answer.token_type,
  ).toBe('bearer');
});

test('nothing that takes rights away is refused', async () => {
  const { accounts, principal } = await start();
  const made = await accounts.createKey(principal, { name: 'a' }, context);
  await expect(accounts.createKey(principal, { name: 'b' }, context)).rejects.toMatchObject({
    code: 'conflict',
    status: 409,
  });
  await accounts.revokeKey(principal, made.id, context);
  const again = await accounts.createKey(principal, { name: 'c' }, context);
  await accounts.revokeKey(principal, again.id, context);
  await expect(accounts.createKey(principal, { name: 'd' }, context)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfter: 43_200,
  });
  expect(await accounts.listKeys(principal)).toHaveLength(1);
});

test('sign-ups end at the cap; an operator makes more', async () => {
  const { accounts } = await start();
  await accounts.signUp({ org_id: 'b2' }, context);
  await accounts.signUp({ org_id: 'c2' }, context);
  await expect(accounts.signUp({ org_id: 'd2' }, context)).rejects.toMatchObject({ code: 'forbidden' });
  expect((await accounts.createOrganization('e2')).org_id).toBe('e2');
  await expect(accounts.createOrganization('b2')).rejects.toMatchObject({ code: 'conflict' });
});
