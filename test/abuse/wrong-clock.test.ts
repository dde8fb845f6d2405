import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { type Client, connect, settled } from '../support/http/client.ts';
import { holdClock } from '../support/processes/clock.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';

const DAY_MS = 86_400_000;
/** Several of the sweeper's looks at the clock, in which it swept as soon as it believed it. */
const LOOKS_MS = 5_000;

const degraded = async ({ url }: Server): Promise<string[]> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { degraded: string[] }).degraded;

/**
 * Served with a clock that is 31 days ahead, a turn of 30 days was gone for good: under the right clock too,
 * after a replay, and it could not be stored again.
 */
it('a clock that runs a month ahead hides what expires, and destroys nothing', async () => {
  const clock = holdClock();
  const environment = { ...clock.environment, TURNSTONE_QUARANTINE_HOURS: '24' };
  let server = await startServer({ environment });
  const { dataDir, apiKey } = server;
  let client = await connect(server);
  const body = {
    turns: [{ role: 'user', text: 'The vault code is heron.', timestamp: '2026-03-01T08:00:00Z' }],
    options: { ttl_days: 30 },
  };
  const { active_fragment_ids: ids } = await client.ingest(body as never);
  await settled(server.url);
  const finds = async (of: Client): Promise<boolean> =>
    JSON.stringify((await of.recall({ q: 'What is the vault code?' })).hits).includes('heron');
  expect(await finds(client)).toBe(true);
  expect(await degraded(server)).not.toContain('clock');

  clock.advance(31 * DAY_MS);
  client = await connect({ url: server.url, apiKey });
  expect(await finds(client)).toBe(false);
  await pause(LOOKS_MS);
  // Long after anything would be swept that had expired for sure.
  clock.advance(120_000);
  await pause(LOOKS_MS);
  expect(await degraded(server)).toContain('clock');
  // Started under the wrong clock, too.
  await server.stop();
  server = await startServer({ dataDir, environment });
  await pause(LOOKS_MS);
  clock.advance(120_000);
  await pause(LOOKS_MS);

  clock.advance(-31 * DAY_MS);
  await server.stop();
  server = await startServer({ dataDir, environment });
  client = await connect({ url: server.url, apiKey });
  expect(await finds(client)).toBe(true);
  const again = await client.ingest(body as never);
  expect([again.active_fragment_ids, again.usage.tokens_in]).toEqual([ids, 0]);
  const replayed = await runCommand(['replay', 'recall'], {
    ...clock.commandEnvironment(),
    TURNSTONE_DATA_DIR: dataDir,
  });
  expect(replayed).toMatchObject({ status: 0 });
  expect(await finds(client)).toBe(true);
  await server.stop();
});
