import { afterEach, expect, it } from 'vitest';
import { PROJECTIONS_VERSION } from '../../infra/embedded/index/file/stored-projections.ts';
import { changeProjections } from '../support/files/projections-file.ts';
import { connect, inParallel, send, settled } from '../support/http/client.ts';
import { until } from '../support/wait.ts';
import { sentence, turn } from '../support/worlds/builders.ts';
import { operate } from '../support/worlds/generations.ts';
import { makeLoad } from '../support/worlds/load.ts';
import { endServers, fill, generationsStatus, start, states } from './generations.ts';

afterEach(endServers);

/**
 * The switch itself is too short for a load to meet: test/unit/services/embedded/replay/generations.test.ts.
 */
it('switches and rolls back under load, and no call fails, misses a turn or reports other usage', async () => {
  const server = await start();
  const client = await connect(server);
  await fill(client, 500);
  const load = makeLoad(client, await client.today(), { paceMs: 40 });
  load.start();
  await load.until(20);
  const settings = ['replay', 'rollback', 'replay'] as const;
  for (const name of settings) {
    const { status, stderr } = await operate(server.dataDir, name, 'all');
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    await load.more(10);
  }
  await load.stop();
  expect(load.faults()).toEqual([]);
  await settled(server.url, 60_000);
  const today = await client.today();
  expect({ tokens_in: today.tokens_in, tokens_out: today.tokens_out }).toEqual(load.billed());
  await server.stop();
});

const TURNS = 8_000;

it('after an upgrade, the old generation serves as it is until the new one is ready', async () => {
  const first = await start();
  const client = await connect(first);
  await inParallel(TURNS / 500, 4, async batch => {
    const turns = Array.from({ length: 500 }, (_, i) => turn(batch * 500 + i));
    await client.ingest({ scope: { user_id: `user-${batch}` }, turns });
  });
  await settled(first.url, 120_000);
  const usage = await client.today();
  await first.stop();
  changeProjections(first.dataDir, `UPDATE meta SET value = '3' WHERE name = 'version'`);

  const second = await start(first.dataDir);
  expect(await generationsStatus(second)).toMatch(
    new RegExp(
      `^generation 1 is of version 3 and stands still; this release writes ${PROJECTIONS_VERSION}; generation 2 is built: `,
    ),
  );
  expect(await states(second)).toEqual({ serving: 1, building: 2 });
  const again = await connect(second);
  expect((await again.today()).tokens_in).toBe(usage.tokens_in);
  const old = await again.recall({ q: sentence(77) });
  expect(old.hits.turns[0]!.text).toContain('ref77');
  // A new turn is found and billed from the tail, and accounts can be changed.
  const written = await again.ingest({ turns: [turn(20_000)] });
  const found = await again.recall({ q: sentence(20_000) });
  expect(found.hits.turns[0]!.id).toBe(written.active_fragment_ids[0]);
  const signup = await send<{ api_key: string }>(`${second.url}/signup`, 'POST', { org_id: 'another' });
  expect(signup.status).toBe(201);
  await connect({ url: second.url, apiKey: signup.body.api_key });
  expect(await states(second)).toEqual({ serving: 1, building: 2 });
  const before = await again.today();

  await until('the new one serves', async () => (await states(second)).serving === 2, 120_000);
  expect(await generationsStatus(second)).toBe('generation 2 serves');
  expect(await states(second)).toEqual({ serving: 2 });
  expect((await again.today()).tokens_in).toBe(before.tokens_in);
  const after = await again.recall({ q: sentence(20_000) });
  expect(after.hits.turns[0]!.id).toBe(written.active_fragment_ids[0]);
  await connect({ url: second.url, apiKey: signup.body.api_key });
  await settled(second.url, 60_000);
  await second.stop();
});
