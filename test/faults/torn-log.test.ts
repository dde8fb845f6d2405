import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { accessToken, connect, settled } from '../support/http/client.ts';
import { openEvents } from '../support/http/event-stream.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';

const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };
const LOG_FILES = ['log.db', 'log.db-wal'];

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

const copyLog = (from: string, to: string): void => {
  for (const name of LOG_FILES) {
    rmSync(join(to, name), { force: true });
    if (existsSync(join(from, name))) copyFileSync(join(from, name), join(to, name));
  }
  rmSync(join(to, 'log.db-shm'), { force: true });
};

/**
 * A disk that lost the log's last writes, or a log restored from a copy: the projections are ahead of it.
 * What was written then got offsets that counted as projected: 202, and no list, no recall and no feed ever
 * showed it, while its observations came in the feed.
 */
it('shows what is written after the log has lost its end, and each observation after its turn', async () => {
  const first = await start();
  const client = await connect(first);
  await client.ingest({ turns: [turn(0)] });
  await settled(first.url);
  await first.stop();
  const copy = temporaryFolder();
  copyLog(first.dataDir, copy);

  const second = await start(first.dataDir);
  const lost = await connect(second);
  for (let n = 1; n <= 12; n++) await lost.ingest({ turns: [turn(n)] });
  await settled(second.url);
  await second.kill();
  copyLog(copy, first.dataDir);

  const third = await start(first.dataDir);
  const token = await accessToken(third.url, third.apiKey);
  const after = await connect(third, token);
  const written: string[] = [];
  for (let n = 20; n < 26; n++) {
    const { active_fragment_ids } = await after.ingest({ turns: [turn(n)] });
    written.push(...active_fragment_ids);
  }
  await settled(third.url);
  for (const [i, id] of written.entries()) {
    const { hits } = await after.recall({ q: turn(20 + i).text });
    expect(hits.turns.map(hit => hit.id)).toContain(id);
  }
  // A turn that only the projections had is in no log: it isn't known, and is taken again.
  expect((await after.ingest({ turns: [turn(12)] })).usage.tokens_in).toBeGreaterThan(0);
  await settled(third.url);

  const stream = await openEvents(third.url, token);
  const seen = new Set<string>();
  let observations = 0;
  for await (const { data } of stream.events()) {
    const sources: string[] = data.source_turn_ids ?? [];
    observations += sources.length;
    expect(sources.filter(id => !seen.has(id))).toEqual([]);
    seen.add(data.id);
    if (written.every(id => seen.has(id)) && observations > 0) break;
  }
  stream.close();
});
