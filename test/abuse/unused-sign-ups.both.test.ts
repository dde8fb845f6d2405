import { expect, it } from 'vitest';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { engineEnvironment } from '../support/engines/engines.ts';
import { accessToken, connect, expectStatus, send } from '../support/http/client.ts';
import { type HeldClock, holdClock } from '../support/processes/clock.ts';
import { makeCluster } from '../support/processes/cluster.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

const signUp = async ({ url }: Server, id: string): Promise<string> =>
  expectStatus(await send<{ api_key: string }>(`${url}/signup`, 'POST', { org_id: id }), 201).api_key;

const statusOf = async ({ url }: Server, apiKey: string): Promise<number> =>
  (await fetch(`${url}/me`, { headers: { 'x-api-key': apiKey } })).status;

/** A service that is ended and started again; `key`: of an organization that an operator made. */
interface World {
  key: string;
  start(): Promise<Server>;
  close(): Promise<void>;
}

const TURNS = [{ role: 'user', text: 'The vault code is heron.', timestamp: '2026-03-01T08:00:00Z' }];

/**
 * On a real server, whose running time is in the test's hand as well as its clock: a removal waits for an
 * hour of it.
 */
const removes = (make: (environment: Record<string, string>) => Promise<World>): void => {
  it('an open sign-up that wrote nothing is removed after its days, and one that wrote stays', async () => {
    const clock: HeldClock = holdClock();
    const world = await make({ ...clock.environment, TEST_CLOCK_IS_RUNNING_TIME: '1' });
    let server = await world.start();
    const idle = await signUp(server, 'idle');
    const busy = await signUp(server, 'busy');
    // To sign in is not to write.
    await accessToken(server.url, idle);
    await (await connect({ url: server.url, apiKey: busy })).ingest({ turns: TURNS });

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
      expect([await statusOf(server, busy), await statusOf(server, world.key)]).toEqual([200, 200]);
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
    server = await world.start();
    await stay();
    await server.stop();
    await world.close();
  });
};

describeInBothModes('unused sign-ups', {
  embedded: () =>
    removes(async environment => {
      const first = await startServer({ environment });
      const { dataDir, apiKey } = first;
      await first.stop();
      return { key: apiKey, start: () => startServer({ dataDir, environment }), close: async () => {} };
    }),
  cluster: () =>
    removes(async environment => {
      const cluster = await makeCluster(engineEnvironment(), { ...environment, TURNSTONE_SIGNUP: 'open' });
      return { key: cluster.apiKey, start: () => cluster.start('all'), close: cluster.close };
    }),
});
