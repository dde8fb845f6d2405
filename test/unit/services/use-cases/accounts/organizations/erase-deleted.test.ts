import { expect, it } from 'vitest';
import { accountEvent } from '../../../../../../services/use-cases/accounts/account-events.ts';
import { makeEraseDeleted } from '../../../../../../services/use-cases/accounts/organizations/erase-deleted.ts';
import { context, testAccounts } from '../../../../../support/worlds/accounts.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const never = new AbortController().signal;

const start = async () => {
  const world = testAccounts({});
  const { accounts, store, now, pass } = world;
  const { api_key } = await accounts.signUp({ org_id: 'acme' }, context);
  await accounts.signUp({ org_id: 'other' }, context);
  const caller = await accounts.authenticateKey(api_key, '192.0.2.1', context);
  await accounts.createKey(caller, { name: 'second' }, context);
  const about = { org: 'acme', now: now(), context };
  await store.record(
    accountEvent('webhook.created', 'whk_1', about, {
      ...{ webhook_id: 'whk_1', url: 'https://example.com/', events: ['turn'], user_id: null },
      ...{ key_id: caller.keyId!, sealed_secret: 'c2VhbGVk', sealing_key: 'k', position: 'AgAA' },
    }),
  );
  const keyed = new Set(['ada', 'bob']);
  const indexed = new Set(['bob', 'cyd']);
  const erased: string[] = [];
  let ran = 0;
  let dies: string | undefined;
  const process = () =>
    makeEraseDeleted({
      store,
      keys: {
        usersOf: async function* (org) {
          yield org === 'acme' ? [...keyed] : ['not hers'];
        },
      },
      listing: { userNames: async ({ org }) => (org === 'acme' ? [...indexed] : ['not hers']) },
      erase: async (org, user) => {
        if (user === dies) throw new Error('the process died');
        erased.push(`${org}/${user}`);
        keyed.delete(user);
        indexed.delete(user);
      },
      clock: now,
      timer: () => ran,
    });
  return {
    ...world,
    keyed,
    erased,
    process,
    die: (at: string | undefined) => {
      dies = at;
    },
    run: (ms: number) => {
      ran += ms;
    },
    remove: async () => {
      await accounts.deletions.ask('acme', 'acme', context);
      pass(DAY_MS);
      await accounts.deletions.confirm('acme', 'acme', context);
    },
    document: () => store.get('organization', 'acme'),
  };
};

it('erases nothing of an organization whose deletion is only asked for', async () => {
  const { accounts, process, erased } = await start();
  await accounts.deletions.ask('acme', 'acme', context);
  expect(await process()(context, never)).toEqual([]);
  expect(erased).toEqual([]);
});

it('erases everybody who has keys or rows, ends webhooks and keys, and touches nobody else', async () => {
  const { remove, process, erased, store } = await start();
  await remove();
  await process()(context, never);
  expect([...erased].sort()).toEqual(['acme/ada', 'acme/bob', 'acme/cyd']);
  expect(await store.liveKeys('acme')).toEqual([]);
  expect(await store.liveKeys('other')).toHaveLength(1);
  expect(await store.get('webhook', 'whk_1')).toMatchObject({ deleted_at: expect.any(String) });
});

it('goes on where a process died, in another one', async () => {
  const { remove, process, erased, die } = await start();
  await remove();
  die('bob');
  await expect(process()(context, never)).rejects.toThrow('died');
  expect(erased).toEqual(['acme/ada']);
  die(undefined);
  await process()(context, never);
  expect([...erased].sort()).toEqual(['acme/ada', 'acme/bob', 'acme/cyd']);
});

it('ends only when nothing more came for an hour, and erases what a late call stored', async () => {
  const { remove, process, erased, run, keyed, document } = await start();
  await remove();
  const round = process();
  await round(context, never);
  run(HOUR_MS - 1);
  keyed.add('late');
  expect(await round(context, never)).toEqual([]);
  expect(erased).toContain('acme/late');
  run(HOUR_MS - 1);
  expect(await round(context, never)).toEqual([]);
  expect((await document())!.erasing).toBeDefined();
  // To look reads all users' keys: not again before ten minutes have passed.
  run(1);
  keyed.add('later');
  expect(await round(context, never)).toEqual([]);
  expect(erased).not.toContain('acme/later');
  run(10 * 60_000);
  expect(await round(context, never)).toEqual([]);
  expect(erased).toContain('acme/later');
  run(HOUR_MS - 1);
  expect(await round(context, never)).toEqual([]);
  run(10 * 60_000);
  expect(await round(context, never)).toEqual(['acme']);
  expect(await document()).not.toHaveProperty('erasing');
  expect(await document()).toHaveProperty('pruned_at');
  expect(await round(context, never)).toEqual([]);
});

it('is ended once by two processes', async () => {
  const { remove, process, run, store } = await start();
  await remove();
  const [one, two] = [process(), process()];
  for (const ms of [0, 0, HOUR_MS, HOUR_MS]) {
    run(ms);
    await Promise.all([one(context, never), two(context, never)]);
  }
  expect(store.events.filter(({ type }) => type === 'org.emptied')).toHaveLength(1);
});
