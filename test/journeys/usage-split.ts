/**
 * Usage by user, session and key: it adds up to the token at any time, after an erasure and a replay too, and
 * a key of one user sees that user's alone. The same in both modes.
 */
import { expect } from 'vitest';
import type { UsageDaily, UsageMonth, UsageSplitAnswer, UsageToday } from '../../schemas/http/usage.ts';
import { type Client, connect, expectStatus, settled } from '../support/http/client.ts';
import { untilDefined } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

export interface World {
  url: string;
  owner: Client;
  /** Builds the projections of usage anew, and verifies them. */
  replay: () => Promise<void>;
}

interface Sums {
  tokens_in: number;
  tokens_out: number;
}
type Split = Sums & { split?: UsageSplitAnswer };

const NONE: Sums = { tokens_in: 0, tokens_out: 0 };
const plus = (one: Sums, other: Sums): Sums => ({
  tokens_in: one.tokens_in + other.tokens_in,
  tokens_out: one.tokens_out + other.tokens_out,
});
const sumsOf = ({ tokens_in, tokens_out }: Sums): Sums => ({ tokens_in, tokens_out });

const addsUp = ({ split, ...sums }: Split): void => {
  const { shares, other, erased, pending } = split!;
  expect([...shares, other, erased, pending].reduce(plus, NONE)).toEqual(sumsOf(sums));
};

/** A key of ada's that may read usage and ask, and one for an application. */
interface Keys {
  ada: { client: Client; id: string };
  app: { client: Client; id: string };
}

const keyOf = async ({ url, owner }: World, body: object): Promise<Keys['ada']> => {
  const made = expectStatus(
    await owner.request<{ id: string; api_key: string }>('POST', '/me/api-keys', body),
    201,
  );
  return { id: made.id, client: await connect({ url, apiKey: made.api_key }) };
};

const get = async <T>(client: Client, path: string): Promise<T> =>
  expectStatus(await client.request<T>('GET', path), 200);

/** Today's split once nothing is pending. */
const today = async (client: Client, by: UsageSplitAnswer['by']): Promise<UsageToday> => {
  const answer = await untilDefined(`usage by ${by} without what is pending`, async () => {
    const found = await get<UsageToday>(client, `/usage/today?by=${by}`);
    addsUp(found);
    const { tokens_in, tokens_out } = found.split!.pending;
    return tokens_in + tokens_out === 0 ? found : undefined;
  });
  return answer;
};

const named = ({ shares }: UsageSplitAnswer) =>
  shares.map(({ tokens_in: _, tokens_out: __, ...names }) => names);

/** The shares by user, with what is erased. */
const byUser = async (client: Client): Promise<Record<string, Sums>> => {
  const { split } = await today(client, 'user');
  const { shares, erased } = split!;
  return {
    ...Object.fromEntries(shares.map(({ user_id, ...sums }) => [user_id!, sums])),
    ...(erased.tokens_in > 0 && { '(erased)': erased }),
  };
};

export const splitUsage = async (world: World): Promise<void> => {
  const { url, owner } = world;
  const ada = await keyOf(world, { name: 'ada', roles: ['usage:read', 'memory:read'], user_id: 'ada' });
  const app = await keyOf(world, { name: 'app', roles: ['*'], user_id: 'app' });

  const billed: Record<string, Sums> = {};
  const count = (user: string, { usage }: { usage: Sums }): void => {
    billed[user] = plus(billed[user] ?? NONE, usage);
  };
  const write = async (client: Client, user: string, session: string, n: number): Promise<void> =>
    count(
      user,
      await client.ingest({ scope: { user_id: user, session_id: session }, turns: [turn(n), turn(n + 1)] }),
    );
  await write(owner, 'ada', 's1', 1);
  await write(owner, 'ada', 's2', 3);
  await write(app.client, 'grace', 's1', 5);
  count('ada', await ada.client.recall({ q: 'Who painted the kettle?' }));
  count('grace', await app.client.recall({ q: 'Who painted the kettle?', scope: { user_id: 'grace' } }));
  // Over all users: the asker's.
  count('app', await app.client.recall({ q: 'Who painted the kettle?' }));

  const whole = await owner.today();
  expect(Object.values(billed).reduce(plus, NONE)).toEqual(sumsOf(whole));
  expect(await byUser(owner)).toEqual(billed);
  const sessions = named((await today(owner, 'session')).split!);
  expect(sessions).toHaveLength(6);
  for (const one of [
    { user_id: 'ada', session_id: 's1' },
    { user_id: 'ada', session_id: 's2' },
    { user_id: 'ada', session_id: null },
    { user_id: 'grace', session_id: 's1' },
    { user_id: 'grace', session_id: null },
    { user_id: 'app', session_id: null },
  ])
    expect(sessions).toContainEqual(one);
  const keys = named((await today(owner, 'key')).split!);
  expect(keys).toHaveLength(3);
  for (const id of [ada.id, app.id]) expect(keys).toContainEqual({ key_id: id });

  const month = whole.start.slice(0, 7);
  for (const by of ['user', 'session', 'key']) {
    const summary = await get<UsageMonth>(owner, `/usage/summary?month=${month}&by=${by}`);
    addsUp(summary);
    expect(sumsOf(summary)).toEqual(sumsOf(await owner.month(month)));
    const { days } = await get<UsageDaily>(owner, `/usage/daily?month=${month}&by=${by}`);
    for (const day of days) addsUp(day);
    expect(days.reduce(plus, NONE)).toEqual(sumsOf(summary));
    const { split } = await get<UsageMonth>(owner, `/usage/summary?month=${month}&by=${by}&limit=1`);
    expect(split!.shares).toEqual(summary.split!.shares.slice(0, 1));
    expect(split!.other).toEqual(summary.split!.shares.slice(1).reduce(plus, NONE));
  }

  // A key of one user: the sums without a split are the organization's, and nothing else is.
  expect(sumsOf(await ada.client.today())).toEqual(sumsOf(whole));
  for (const by of ['user', 'session', 'key'] as const) {
    const own = await today(ada.client, by);
    addsUp(own);
    expect(sumsOf(own)).toEqual(billed.ada);
    expect(JSON.stringify(own)).not.toMatch(/grace|app/);
    expect(named(own.split!).length).toBeGreaterThan(0);
  }
  for (const query of ['by=org', 'by=user&limit=0', 'by=user&limit=1001', 'by=user&by=key'])
    expect([query, (await owner.request('GET', `/usage/today?${query}`)).status]).toEqual([
      query,
      query === 'by=org' ? 400 : 422,
    ]);

  expectStatus(await owner.request('DELETE', '/memory?user_id=ada'), 200);
  await settled(url);
  const { ada: erased, ...rest } = billed;
  const after = { ...rest, '(erased)': erased! };
  expect(await byUser(owner)).toEqual(after);
  expect(JSON.stringify(await today(owner, 'session'))).not.toContain('"ada"');
  expect(named((await today(owner, 'key')).split!)).toHaveLength(3);
  expect(sumsOf(await owner.today())).toEqual(sumsOf(whole));
  await world.replay();
  expect(await byUser(owner)).toEqual(after);
};
