import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { type Client, connect, settled } from '../support/http/client.ts';
import { holdClock } from '../support/processes/clock.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const DAY_MS = 86_400_000;
/** Several of the sweeper's looks at the clock, in which it swept as soon as it believed it. */
const LOOKS_MS = 5_000;

const degraded = async ({ url }: Server): Promise<string[]> =>
  ((await (await fetch(`${url}/readyz`)).json()) as { degraded: string[] }).degraded;

const BODY = {
  turns: [{ role: 'user', text: 'The vault code is heron.', timestamp: '2026-03-01T08:00:00Z' }],
  options: { ttl_days: 30 },
};

const finds = async (of: Client): Promise<boolean> =>
  JSON.stringify((await of.recall({ q: 'What is the vault code?' })).hits).includes('heron');

/** Members of the answers below. */
interface Said {
  id: string;
  facts: { value: string }[];
  limits: { tokens_in: number };
}

describeInBothModes('a wrong clock', {
  embedded: () => {
    /**
     * Served with a clock that is 31 days ahead, a turn of 30 days was gone for good: under the right clock
     * too, after a replay, and it could not be stored again.
     */
    it('a clock that runs a month ahead hides what expires, and destroys nothing', async () => {
      const clock = holdClock();
      const environment = { ...clock.environment, TURNSTONE_QUARANTINE_HOURS: '24' };
      let server = await startServer({ environment });
      const { dataDir, apiKey } = server;
      let client = await connect(server);
      const { active_fragment_ids: ids } = await client.ingest(BODY as never);
      await settled(server.url);
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
      const again = await client.ingest(BODY as never);
      expect([again.active_fragment_ids, again.usage.tokens_in]).toEqual([ids, 0]);
      const replayed = await runCommand(['replay', 'recall'], {
        ...clock.commandEnvironment(),
        TURNSTONE_DATA_DIR: dataDir,
      });
      expect(replayed).toMatchObject({ status: 0 });
      expect(await finds(client)).toBe(true);
      await server.stop();
    });

    /** Set, taken back or corrected by a clock that ran ahead, it stood for a month, whatever was said. */
    it('what was set by a clock that ran a month ahead can be undone under the right one', async () => {
      const clock = holdClock();
      const environment = { ...clock.environment, TURNSTONE_QUARANTINE_HOURS: '24' };
      let server = await startServer({ environment });
      const { dataDir, apiKey } = server;
      const operator = (...args: string[]) =>
        runCommand(args, { ...clock.commandEnvironment(), TURNSTONE_DATA_DIR: dataDir });
      const reconnect = () => connect({ url: server.url, apiKey });
      let client = await reconnect();
      const ask = async (method: string, path: string, body?: object) =>
        (await client.request<Said>(method, path, body)).body;
      const said = await ask('POST', '/memory/observations', {
        scope: { org_id: 'local', user_id: 'ada' },
        ...{ text: 'Ada lives in Oslo.', subject: 'Ada', attribute: 'home', value: 'Oslo' },
      });
      const correct = (value: string) => ask('PATCH', `/memory/observations/${said.id}`, { value });
      const homes = async () =>
        (await ask('GET', '/memory/facts?user_id=ada&attribute=home')).facts.map(({ value }) => value);
      const keep = (days: number | null) => ask('PUT', '/me/retention', { days });
      await keep(30);

      clock.advance(31 * DAY_MS);
      client = await reconnect();
      // The clock jumped while the service ran: what dates an end is refused until both agree.
      await until('the clock is named', async () => (await degraded(server)).includes('clock'));
      expect((await client.request('PUT', '/me/retention', { days: 7 })).status).toBe(503);
      expect(await ask('GET', '/me/retention')).toEqual({ days: 30, next: null });
      // Started under it, nothing tells that it is wrong.
      await server.stop();
      server = await startServer({ dataDir, environment });
      client = await reconnect();
      await keep(null);
      await correct('Rome');
      await operator('orgs', 'set-limits', 'local', '--tokens-in', '7000');

      clock.advance(-31 * DAY_MS);
      client = await reconnect();
      await server.stop();
      server = await startServer({ dataDir, environment });
      client = await reconnect();
      await keep(null);
      await correct('Bergen');
      await operator('orgs', 'set-limits', 'local', '--tokens-in', '8000');
      const stands = async () => ({
        retention: await ask('GET', '/me/retention'),
        limits: (await ask('GET', '/me')).limits.tokens_in,
        homes: await homes(),
      });
      const expected = { retention: { days: null, next: null }, limits: 8_000, homes: ['Bergen'] };
      expect(await stands()).toEqual(expected);
      expect(await operator('replay', 'recall')).toMatchObject({ status: 0 });
      expect(await stands()).toEqual(expected);
      await server.stop();
      server = await startServer({ dataDir, environment });
      client = await reconnect();
      expect(await stands()).toEqual(expected);
      await server.stop();
    });
  },
  cluster: () => {
    it("a clock that runs a month ahead of Redis's hides what expires, and destroys nothing", async () => {
      const clock = holdClock();
      const environment = {
        ...clock.environment,
        TURNSTONE_QUARANTINE_HOURS: '24',
        TEST_REDIS_IS_RIGHT: '1',
      };
      const cluster = await makeCluster(engineEnvironment(), environment);
      try {
        const api = await cluster.start('all');
        let client = await cluster.client(api);
        const { active_fragment_ids: ids } = await client.ingest(BODY as never);
        await settled(api.url);
        expect(await finds(client)).toBe(true);
        expect(await degraded(api)).not.toContain('clock');

        clock.advance(31 * DAY_MS);
        client = await cluster.client(api);
        expect(await finds(client)).toBe(false);
        for (let look = 0; look < 2; look++) {
          await pause(LOOKS_MS);
          clock.advance(120_000);
        }
        expect(await degraded(api)).toContain('clock');
        const refused = await client.request('PUT', '/me/retention', { days: 7 });
        expect(refused.status).toBe(503);

        clock.advance(-31 * DAY_MS - 240_000);
        await until('both agree', async () => !(await degraded(api)).includes('clock'));
        client = await cluster.client(api);
        expect(await finds(client)).toBe(true);
        const again = await client.ingest(BODY as never);
        expect([again.active_fragment_ids, again.usage.tokens_in]).toEqual([ids, 0]);
        const replayed = await runCommand(['replay', 'recall'], {
          ...cluster.environment,
          ...clock.commandEnvironment(),
        });
        expect(replayed).toMatchObject({ status: 0 });
        expect(await finds(client)).toBe(true);
      } finally {
        await cluster.close();
      }
    });
  },
});
