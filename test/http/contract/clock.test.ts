/** Tests what only time brings about: the test holds the service's clock. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stopClock } from '../../support/processes/clock.ts';
import { type Server, startServer } from '../../support/processes/server.ts';
import { type Caller, call, exchange, newKey, ok, type Reply, refused, signUp, type Tokens } from './kit.ts';

const START = '2026-05-10T12:00:00Z';
const SECOND = 1000;
const DAY = 86_400 * SECOND;

const clock = stopClock(START);
let server: Server;
const start = async (): Promise<void> => {
  server = await startServer({ dataDir: server?.dataDir, environment: clock.environment });
};
beforeAll(start);
afterAll(() => server.stop());

/** The service, so long after the start. */
const at = (afterStart: number): string => {
  clock.pass(Date.parse(START) + afterStart);
  return server.url;
};
/** As another process: what it knows, it knows from the files. */
const restartedAt = async (afterStart: number): Promise<string> => {
  await server.stop();
  clock.pass(Date.parse(START) + afterStart);
  await start();
  return server.url;
};

const refresh = (url: string, { refresh_token }: { refresh_token: string }): Promise<Reply> =>
  call(url, 'POST', '/auth/refresh', { body: { refresh_token } });
const renewed = async (url: string, tokens: Tokens): Promise<Tokens> => ok(await refresh(url, tokens));
const me = (url: string, { access_token }: Tokens): Promise<Reply> =>
  call(url, 'GET', '/me', { token: access_token });

describe.sequential('the days of a refresh token', () => {
  let owner: Caller;
  let first: Record<'retried' | 'late' | 'idle' | 'dormant' | 'lost', Tokens>;
  let second: typeof first;
  let key: { api_key: string };

  test('at the start: rotated', async () => {
    const url = at(0);
    owner = await signUp(url, 'clock');
    key = await newKey(owner);
    const each = async (of: (name: keyof typeof first) => Promise<Tokens>): Promise<typeof first> =>
      Object.fromEntries(
        await Promise.all(
          (['retried', 'late', 'idle', 'dormant', 'lost'] as const).map(async name => [name, await of(name)]),
        ),
      ) as typeof first;
    first = await each(() => exchange(url, key.api_key));
    second = {
      ...first,
      ...(await each(async name => (name === 'dormant' ? first.dormant : renewed(url, first[name])))),
    };
  });

  test('30 s later, on another process: a used one gives the same successor', async () => {
    const url = await restartedAt(30 * SECOND);
    expect((await renewed(url, first.retried)).refresh_token).toBe(second.retried.refresh_token);
    expect((await renewed(url, first.retried)).refresh_token).toBe(second.retried.refresh_token);
    ok(await me(url, first.retried));
  });

  test('beyond 60 s: a used one revokes its family', async () => {
    const url = at(120 * SECOND);
    refused(await refresh(url, first.late), 401);
    refused(await refresh(url, second.late), 401);
    refused(await refresh(url, first.late), 401);
    ok(await me(url, second.late));
  });

  test('and its successor, that came in time, goes on', async () => {
    const { url } = server;
    const third = await renewed(url, second.lost);
    ok(await me(url, third));
    second.lost = third;
  });

  test('just before 24 hours the access token is good, after them it is 401', async () => {
    const before = await restartedAt(DAY - 60 * SECOND);
    ok(await me(before, first.idle));
    // A revoked family stays so over a restart.
    for (const dead of [second.late, first.lost, second.lost]) refused(await refresh(before, dead), 401);
    const url = at(DAY + 30 * SECOND);
    for (const path of ['/me', '/usage/today', '/me/api-keys'])
      refused(await call(url, 'GET', path, { token: first.idle.access_token }), 401);
    const next = await renewed(url, second.idle);
    ok(await me(url, next));
    second.idle = next;
  });

  test('just before 7 days a refresh token is good; after them it is 401; a rotation starts them anew', async () => {
    const before = await restartedAt(7 * DAY - 60 * SECOND);
    const last = await renewed(before, first.dormant);
    ok(await me(before, last));
    const url = at(7 * DAY + 300 * SECOND);
    refused(await refresh(url, second.retried), 401);
    refused(await refresh(url, first.retried), 401);
    second.idle = await renewed(url, second.idle);
    ok(await refresh(url, last));
    ok(await me(url, await exchange(url, key.api_key)));
  });
});
