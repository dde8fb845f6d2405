import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, test } from 'vitest';
import { type Server, startServer } from '../support/server.ts';
import { exchange, lostAnswer, refresh, withoutProjection } from './lost-answers.ts';

let running: Server | undefined;
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

const at = (time: string) => ({ environment: { TURNSTONE_CLOCK: time } });

test('a refresh whose answer was lost can be repeated minutes later, one that was delivered can not', async () => {
  const early = await startServer(at('2026-03-10T08:00:00Z'));
  running = early;
  await lostAnswer(early, early.apiKey, async () => {
    await early.stop();
    running = await startServer({ ...at('2026-03-10T08:05:00Z'), dataDir: early.dataDir });
    return running;
  });
});

/** Another program (a backup tool) that holds a lock on the projections' file, as soon as the projector lets it. */
const stallProjections = (folder: string): (() => void) => {
  const files = readdirSync(folder).filter(name => /^projections-\d+\.db$/.test(name));
  const held = files.map(name => new DatabaseSync(join(folder, name), { timeout: 10_000 }));
  for (const database of held) database.exec('BEGIN IMMEDIATE');
  return () => {
    for (const database of held) database.close();
  };
};

test('refresh and exchange wait for the log alone: a locked projections file holds up no session', async () => {
  const server = await startServer(at('2026-03-10T08:00:00Z'));
  running = server;
  const first = await exchange(server.url, server.apiKey);
  const release = stallProjections(server.dataDir);
  const { stolen } = await withoutProjection(server.url, server.apiKey, first, 2_000);
  release();
  expect((await refresh(server.url, stolen)).status).toBe(401);
});
