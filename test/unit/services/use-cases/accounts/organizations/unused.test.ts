import { expect, it } from 'vitest';
import { isNotStored } from '../../../../../../core/log/not-stored.ts';
import { watchChanges } from '../../../../../../core/payers/changes.ts';
import { makePaidLog } from '../../../../../../core/payers/paid-log.ts';
import { NOTES, TAKES_AWAY } from '../../../../../../core/payers/till.ts';
import { makePruneUnused } from '../../../../../../services/use-cases/accounts/organizations/unused.ts';
import { memoryLog } from '../../../../../support/engines/memory-log.ts';
import { context, testAccounts } from '../../../../../support/worlds/accounts.ts';

const DAY_MS = 86_400_000;
const never = new AbortController().signal;

const start = async () => {
  const world = testAccounts({});
  const { accounts, store } = world;
  let ran = 0;
  const prune = makePruneUnused({ store, clock: world.now, timer: () => ran });
  const { api_key } = await accounts.signUp({ org_id: 'acme', email: 'ada@acme.example' }, context);
  return {
    ...world,
    api_key,
    /** A round, and an hour later another one. */
    round: async (past = world.now()): Promise<string[]> => {
      const first = await prune(past, 30, context, never);
      expect(first).toEqual([]);
      ran += 3_600_000;
      return prune(past, 30, context, never);
    },
    call: () => accounts.authenticateKey(api_key, '192.0.2.1', context),
  };
};

it('removes an open sign-up that wrote nothing for its days, and nothing of it is left but its id', async () => {
  const { accounts, store, pass, round, call } = await start();
  await accounts.createOrganization('made');
  await accounts.ensureLocalOrganization();
  await call();
  pass(29 * DAY_MS);
  expect(await round()).toEqual([]);
  pass(DAY_MS);
  expect(await round()).toEqual(['acme']);
  expect((await accounts.organizations()).map(({ org_id }) => org_id)).toEqual(['made', 'local']);
  expect(await store.countOrganizations()).toBe(2);
  expect(JSON.stringify(await store.list('organization'))).not.toContain('ada@acme.example');
  await expect(call()).rejects.toMatchObject({ code: 'forbidden' });
  await expect(accounts.recoverKey('acme')).rejects.toMatchObject({ code: 'not_found' });
  await expect(accounts.retention('acme')).rejects.toMatchObject({ code: 'not_found' });
  await expect(accounts.signUp({ org_id: 'acme' }, context)).rejects.toMatchObject({ code: 'conflict' });
  expect(await round()).toEqual([]);
});

it('goes by the instant that two sources agree on, and by no clock', async () => {
  const { pass, round, now } = await start();
  const before = now();
  pass(400 * DAY_MS);
  expect(await round(before)).toEqual([]);
});

it.each([
  ['a key', async ({ accounts, call }) => accounts.createKey(await call(), { name: 'a' }, context)],
  ['a retention', ({ accounts }) => accounts.setRetention('acme', 9, context)],
  ['what is screened', ({ accounts }) => accounts.setScreening('acme', 'secrets', context)],
  ['an operator, who made a key', ({ accounts }) => accounts.recoverKey('acme')],
  [
    'an operator, who set limits',
    ({ accounts }) =>
      accounts.setLimits('acme', { tokens_in: 1, tokens_out: 1, names: 1, retractions: 1, erasures: 1 }),
  ],
  ['its first append', ({ accounts }) => accounts.keepInUse('acme')],
] satisfies [string, (world: Awaited<ReturnType<typeof start>>) => Promise<unknown>][])(
  'keeps an organization for good by %s',
  async (_, act) => {
    const world = await start();
    await act(world);
    world.pass(400 * DAY_MS);
    expect(await world.round()).toEqual([]);
    await world.call();
  },
);

it('lets the log decide between a removal and a write that comes at that moment', async () => {
  const { accounts, store, pass, round, call } = await start();
  const caller = await call();
  expect(caller.isUnused).toBe(true);
  pass(30 * DAY_MS);
  const log = memoryLog();
  const paid = makePaidLog(log, async () => {});
  const record = { topic: 'turns' as const, key: 'acme', value: Buffer.from('{}') };
  const write = (payer = TAKES_AWAY) =>
    watchChanges(
      () => paid.append([record], payer),
      () => accounts.keepInUse('acme', context),
    ).ended;
  // An entry of the audit log is no write.
  await write(NOTES);
  expect(await round()).toEqual(['acme']);
  const refused = await write().catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'forbidden' });
  expect(isNotStored(refused)).toBe(true);
  expect(log.records('turns')).toHaveLength(1);

  await accounts.signUp({ org_id: 'other' }, context);
  pass(30 * DAY_MS);
  // The write is in the log between the look and the removal.
  store.beforeRecord = async event => {
    if (event.type !== 'org.pruned') return;
    store.beforeRecord = () => {};
    await accounts.keepInUse('other', context);
  };
  expect(await round()).toEqual([]);
  expect(store.events.map(({ type }) => type).slice(-2)).toEqual(['org.wrote', 'org.pruned']);
  expect(await accounts.retention('other')).toEqual({ days: null, next: null });
});

it('is done once by two processes', async () => {
  const { store, pass, now } = await start();
  pass(30 * DAY_MS);
  let ran = 0;
  const [one, other] = [1, 2].map(() => makePruneUnused({ store, clock: now, timer: () => ran }));
  const both = () => Promise.all([one, other].map(prune => prune!(now(), 30, context, never)));
  expect(await both()).toEqual([[], []]);
  ran += 3_600_000;
  expect(await both()).toEqual([['acme'], ['acme']]);
  expect(await both()).toEqual([[], []]);
  expect(store.events.filter(({ type }) => type === 'org.pruned')).toHaveLength(1);
});
