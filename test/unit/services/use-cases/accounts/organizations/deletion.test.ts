import { expect, it } from 'vitest';
import { context, testAccounts } from '../../../../../support/worlds/accounts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const start = async () => {
  const world = testAccounts({});
  let agreed: () => number | undefined = () => world.now() - DAY_MS;
  const accounts = world.another({ past: async () => agreed() });
  const { api_key } = await accounts.signUp({ org_id: 'acme', name: 'Acme' }, context);
  const { deletions } = accounts;
  return {
    ...world,
    accounts,
    api_key,
    agree: (instant: () => number | undefined) => {
      agreed = instant;
    },
    state: () => deletions.state('acme'),
    ask: (named = 'acme') => deletions.ask('acme', named, context),
    confirm: (named = 'acme') => deletions.confirm('acme', named, context),
    withdraw: () => deletions.withdraw('acme', context),
    call: () => accounts.authenticateKey(api_key, '192.0.2.1', context),
  };
};

it('is confirmed a day after it was asked for, within a week from then', async () => {
  const { state, ask, confirm, pass, call } = await start();
  expect(await state()).toMatchObject({ state: 'none', asked_at: null });
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  const asked = await ask();
  expect(asked).toEqual({
    state: 'asked',
    org_id: 'acme',
    asked_at: '2026-03-10T12:00:30.250Z',
    confirm_from: '2026-03-11T12:00:30.250Z',
    confirm_until: '2026-03-18T12:00:30.250Z',
  });
  pass(DAY_MS - 1);
  // Asking again postpones nothing.
  expect(await ask()).toEqual(asked);
  await expect(confirm()).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('from'),
  });
  await call();
  pass(1);
  expect(await confirm()).toMatchObject({ state: 'confirmed' });
});

it('lapses, and has to be asked for again', async () => {
  const { state, ask, confirm, pass } = await start();
  await ask();
  pass(8 * DAY_MS);
  expect(await state()).toMatchObject({ state: 'none' });
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  expect(await ask()).toMatchObject({ asked_at: '2026-03-18T12:00:30.250Z' });
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
});

it('is taken back, and what was asked before confirms nothing that is asked later', async () => {
  const { state, ask, confirm, withdraw, pass, call } = await start();
  await withdraw();
  await ask();
  pass(2 * DAY_MS);
  expect(await withdraw()).toMatchObject({ state: 'none' });
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  await ask();
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  expect(await state()).toMatchObject({ state: 'asked' });
  pass(DAY_MS);
  await confirm();
  await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
});

it('is confirmed by no single clock', async () => {
  const { ask, confirm, pass, agree, now } = await start();
  const asked = now();
  await ask();
  agree(() => undefined);
  pass(3 * DAY_MS);
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  agree(() => asked - 1);
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  agree(() => asked);
  await confirm();
});

it("is neither asked for nor confirmed by another organization's name", async () => {
  const { ask, confirm, pass, state } = await start();
  await expect(ask('Acme')).rejects.toMatchObject({ code: 'invalid' });
  expect(await state()).toMatchObject({ state: 'none' });
  await ask();
  pass(DAY_MS);
  await expect(confirm('other')).rejects.toMatchObject({ code: 'invalid' });
});

it('lets nobody in from then on, by whatever credential, and gives the id to nobody', async () => {
  const { accounts, api_key, store, ask, confirm, pass, call } = await start();
  const strict = await accounts.createKey(await call(), { name: 'a', user_id: 'ada', strict: true }, context);
  await ask();
  pass(DAY_MS);
  const { access_token, refresh_token } = await accounts.exchange(api_key, '192.0.2.1', context);
  await accounts.authenticate(access_token, '192.0.2.1');
  await confirm();
  const refused = { code: 'forbidden' };
  await expect(call()).rejects.toMatchObject(refused);
  await expect(accounts.authenticateKey(strict.api_key, '192.0.2.1', context)).rejects.toMatchObject(refused);
  await expect(accounts.authenticate(access_token, '192.0.2.1')).rejects.toMatchObject(refused);
  await expect(accounts.exchange(api_key, '192.0.2.1', context)).rejects.toMatchObject(refused);
  await expect(accounts.refresh(refresh_token, '192.0.2.1', context)).rejects.toMatchObject(refused);
  await expect(accounts.recoverKey('acme')).rejects.toMatchObject({ code: 'not_found' });
  await expect(accounts.keepInUse('acme')).rejects.toMatchObject(refused);
  await expect(accounts.signUp({ org_id: 'acme' }, context)).rejects.toMatchObject({ code: 'conflict' });
  expect(await accounts.organizations()).toEqual([]);
  expect(JSON.stringify(await store.list('organization'))).not.toContain('Acme');
});

it('lets the log decide between a confirmation and a withdrawal that come at one moment', async () => {
  const { ask, confirm, withdraw, pass, store, call } = await start();
  await ask();
  pass(DAY_MS);
  store.beforeRecord = async event => {
    if (event.type !== 'org.deleted') return;
    store.beforeRecord = () => {};
    await withdraw();
    // It is another request than the one that is being confirmed.
    await ask();
  };
  await expect(confirm()).rejects.toMatchObject({ code: 'conflict' });
  await call();
  // The confirmation that came too late counts for nothing that is asked later.
  await ask();
  pass(DAY_MS);
  await confirm();
  await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
});
