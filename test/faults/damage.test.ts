import { readdirSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { findText, flipBit, projectionsFile } from '../support/files/projections-file.ts';
import { type Client, connect, send, settled } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { pause, until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

const TURNS = 120;
const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };

let servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.map(server => server.kill()));
  servers = [];
});
const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer({ environment, ...(dataDir && { dataDir }) });
  servers.push(server);
  return server;
};

const fill = async (client: Client): Promise<Set<string>> => {
  const texts = new Set<string>();
  for (let n = 0; n < TURNS; n += 20) {
    const turns = Array.from({ length: 20 }, (_, i) => turn(n + i));
    await client.ingest({ turns, options: { write_passive: false } });
    for (const { text } of turns) texts.add(text);
  }
  return texts;
};

interface Turns {
  items: { text: string }[];
}

/** The texts of all turns, or undefined while the service refuses; anything else is a wrong answer. */
const listed = async (client: Client): Promise<Set<string> | undefined> => {
  const { status, body, headers } = await client.request<Turns>('GET', `/memory/turns?limit=200`);
  if (status === 503 && Number(headers.get('retry-after')) > 0) return undefined;
  expect(status).toBe(200);
  return new Set(
    Object.values(body as unknown as Record<string, { text: string }[]>)[0]!.map(({ text }) => text),
  );
};

const setAside = (dataDir: string): string[] =>
  readdirSync(dataDir).filter(name => name.includes('.damaged-'));

/** Old code served the changed words with 200. */
it.for(['stopped', 'killed'])('finds flipped bits at the start after it was %s, and rebuilds', async how => {
  const first = await start();
  const texts = await fill(await connect(first));
  await settled(first.url);
  await first.stop();
  if (how === 'killed') {
    // With a write-ahead log beside the file.
    const again = await start(first.dataDir);
    await (await connect(again)).ingest({ turns: [turn(TURNS)] });
    texts.add(turn(TURNS).text);
    await settled(again.url);
    await again.kill();
  }
  const path = projectionsFile(first.dataDir);
  const at = findText(path, turn(7).text);
  expect(at).toBeGreaterThan(0);
  flipBit(path, at + 3);

  for (const round of [1, 2]) {
    const server = await start(first.dataDir);
    const client = await connect(server);
    await until('all is listed', async () => (await listed(client)) !== undefined);
    expect(await listed(client)).toEqual(texts);
    expect(setAside(first.dataDir)).toHaveLength(1);
    if (round === 1) {
      await settled(server.url);
      expect((await send(`${server.url}/readyz`, 'GET')).status).toBe(200);
    } else {
      // An erasure doesn't reach a copy, so none is kept.
      await client.request('DELETE', '/memory?user_id=nobody');
      expect(setAside(first.dataDir)).toEqual([]);
    }
    await server.stop();
  }
});

it('finds flipped bits while it runs, and rebuilds in the background', async () => {
  const first = await start();
  const texts = await fill(await connect(first));
  await settled(first.url);
  await first.stop();
  const server = await start(first.dataDir);
  const client = await connect(server);
  const path = projectionsFile(server.dataDir);
  const serving = async (): Promise<string> => {
    const { body } = await send<{ engines: Record<string, { detail: string }> }>(
      `${server.url}/readyz`,
      'GET',
    );
    return body.engines.generations!.detail;
  };
  flipBit(path, findText(path, turn(7).text) + 3);
  await until('another generation serves', async () => /generation 2 serves/.test(await serving()), 30_000);
  const answers = await listed(client);
  expect(answers).toEqual(texts);
  const { active_fragment_ids } = await client.ingest({ turns: [turn(TURNS + 1)] });
  const { hits } = await client.recall({ q: turn(TURNS + 1).text });
  expect(hits.turns.map(({ id }) => id)).toContain(active_fragment_ids[0]);
  // A write of before the damage is known.
  expect((await client.ingest({ turns: [turn(7)] })).usage.tokens_in).toBe(0);
  await pause(0);
  expect(setAside(server.dataDir)).toHaveLength(1);
  expect(await server.stop()).toBe(0);
});
