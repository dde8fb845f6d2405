import { expect, it } from 'vitest';
import { accessToken, connect, expectStatus, send } from '../support/http/client.ts';
import { holdClock } from '../support/processes/clock.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const signUp = async ({ url }: Server, id: string): Promise<string> =>
  expectStatus(await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: id }), 201).api_key;

const statusOf = async ({ url }: Server, apiKey: string): Promise<number> =>
  (await fetch(`${url}/me`, { headers: { 'x-api-key': apiKey } })).status;

/**
 * A real server, whose running time is in the test's hand as well as its clock: a removal waits for an hour
 * of it.
 */
it('an open sign-up that wrote nothing is removed after its days, and one that wrote stays', async () => {
  const clock = holdClock();
  const environment = { ...clock.environment, TEST_CLOCK_IS_RUNNING_TIME: '1' };
  let server = await startServer({ environment });
  const { dataDir, apiKey: local } = server;
  const idle = await signUp(server, 'idle');
  const busy = await signUp(server, 'busy');
  // To sign in is not to write.
  await accessToken(server.url, idle);
  const turns = [{ role: 'user', text: 'The vault code is heron.', timestamp: '2026-03-01T08:00:00Z' }];
  await (await connect({ url: server.url, apiKey: busy })).ingest({ turns });

  // Less than its days: many rounds remove nothing.
  for (let round = 0; round < 8; round++) {
    clock.advance(3 * DAY_MS);
    await until('it is answered', async () => (await statusOf(server, busy)) === 200);
  }
  expect(await statusOf(server, idle)).toBe(200);

  clock.advance(7 * DAY_MS);
  await until('it is removed', async () => {
    clock.advance(11 * MINUTE_MS);
    return (await statusOf(server, idle)) === 403;
  });
  const stay = async () => {
    expect([await statusOf(server, busy), await statusOf(server, local)]).toEqual([200, 200]);
    expect(await statusOf(server, idle)).toBe(403);
    const { hits } = await (await connect({ url: server.url, apiKey: busy })).recall({
      q: 'What is the vault code?',
    });
    expect(JSON.stringify(hits)).toContain('heron');
  };
  await stay();
  // Its id is nobody else's.
  expect((await send(`${server.url}/signup`, 'POST', { org_id: 'idle' })).status).toBe(409);
  await server.stop();
  server = await startServer({ dataDir, environment });
  await stay();
  await server.stop();
});
