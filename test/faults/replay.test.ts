import { expect, it } from 'vitest';
import { billedByLog } from '../contracts/openers/log.ts';
import { type Client, connect, inParallel, settled } from '../support/http/client.ts';
import { rounds } from '../support/long.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { pause, until } from '../support/wait.ts';
import { sentence } from '../support/worlds/builders.ts';
import { generationsOf, operate, replayed, spawnServerless } from '../support/worlds/generations.ts';
import { makeLoad } from '../support/worlds/load.ts';

const environment = {
  TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
  TURNSTONE_QUOTA_TOKENS_IN: '0',
  TURNSTONE_QUOTA_TOKENS_OUT: '0',
};
const ROUNDS = rounds(3, 6);

/**
 * Kill -9 at random instants of a replay, its promotion among them, under load. After each start the service
 * answers with all that was acknowledged, and the next replay goes on or begins anew.
 */
it('loses nothing and moves no figure when the server is killed at any moment of a replay', async () => {
  let server: Server = await startServer({ environment });
  const { dataDir } = server;
  let client: Client = await connect(server);
  let down = false;
  const load = makeLoad(() => client, { tokens_in: 0, tokens_out: 0 }, { mayFail: () => down });
  load.start();
  await load.until(60);
  for (let round = 0; round < ROUNDS; round++) {
    const replaying = operate(dataDir, 'replay', 'all', '--json');
    const killAfter = Math.random() * 4_000;
    await Promise.race([replaying, pause(killAfter)]);
    down = true;
    await server.kill();
    await replaying;
    server = await startServer({ environment, dataDir });
    client = await connect(server);
    down = false;
    const generations = await generationsOf(dataDir);
    expect(generations.filter(({ state }) => state === 'serving')).toHaveLength(1);
    await load.more(15);
  }
  await load.stop();
  expect(load.faults()).toEqual([]);
  expect((await replayed(dataDir)).at(-1)).toMatchObject({ kind: 'promoted' });
  await settled(server.url, 60_000);
  const missing: number[] = [];
  await inParallel(load.acknowledged().length, 6, async i => {
    const { n, user, id } = load.acknowledged()[i]!;
    const { hits } = await client.recall({ q: sentence(n), scope: { user_id: user } });
    if (!hits.turns.some(hit => hit.id === id)) missing.push(n);
  });
  expect(missing).toEqual([]);
  const { tokens_in, tokens_out } = await client.today();
  expect(await server.stop()).toBe(0);
  const { turns, ...billed } = await billedByLog(dataDir);
  expect(turns.size).toBeGreaterThanOrEqual(load.acknowledged().length);
  expect({ tokens_in, tokens_out }).toEqual(billed);
});

it('goes on where an offline replay was killed', async () => {
  const first = await startServer({ environment });
  const client = await connect(first);
  await inParallel(10, 2, async batch => {
    const turns = Array.from({ length: 100 }, (_, i) => ({
      role: 'user',
      text: sentence(batch * 100 + i),
      timestamp: new Date(Date.UTC(2026, 2, 1) + (batch * 100 + i) * 1_000).toISOString(),
    }));
    await client.ingest({ turns, options: { write_passive: false } });
  });
  await settled(first.url);
  const before = await client.today();
  await first.stop();
  const killed = spawnServerless(first.dataDir, 'replay', 'all', '--json', '--throttle', '150');
  await until('it reads', () => /"phase":"building","events":[1-9]/.test(killed.stdout()), 60_000);
  await killed.kill();
  const [plan, ...rest] = await replayed(first.dataDir);
  expect(plan).toMatchObject({ resumed: true, generation: { number: 2 } });
  expect(rest.at(-1)).toMatchObject({ kind: 'promoted', generation: 2 });
  const second = await startServer({ environment, dataDir: first.dataDir });
  expect(await (await connect(second)).today()).toEqual(before);
  await second.stop();
});
