import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accessToken, connect, settled } from '../support/client.ts';
import { runCommand } from '../support/command-line.ts';
import { untilGone, wordsInFolder } from '../support/find-words.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { expectApart, expectRefused, METADATA_WORD, PLANNER, writeAsAgents } from './filters.ts';

it('keeps two agents apart, after a kill, a rebuild and an import too, until it is erased', async () => {
  const dataDir = temporaryFolder();
  let server = await startServer({ dataDir });
  const { apiKey } = server;
  let client = await connect(server);
  await writeAsAgents(client, server.url);
  await expectApart({ url: server.url, apiKey });
  await expectRefused(client);
  await server.kill();

  for (const name of readdirSync(dataDir)) if (name.startsWith('projections')) rmSync(join(dataDir, name));
  server = await startServer({ dataDir });
  await expectApart({ url: server.url, apiKey });
  const { status, stdout } = await runCommand(['verify'], { TURNSTONE_DATA_DIR: dataDir });
  expect([status, stdout]).toEqual([0, expect.stringContaining('no differences')]);

  const exported = async (filter = ''): Promise<string> => {
    const authorization = `Bearer ${await accessToken(server.url, apiKey)}`;
    return (await fetch(`${server.url}/export${filter}`, { headers: { authorization } })).text();
  };
  const file = join(temporaryFolder(), 'export.jsonl');
  const other = await startServer();
  writeFileSync(file, await exported());
  await runCommand(['import', file], { TURNSTONE_DATA_DIR: other.dataDir });
  await settled(other.url);
  await expectApart(other);
  const part = await startServer();
  writeFileSync(file, await exported(`?filter=${encodeURIComponent(JSON.stringify(PLANNER))}`));
  const imported = await runCommand(['import', file], { TURNSTONE_DATA_DIR: part.dataDir });
  expect(imported.stdout).toContain('9 events written');
  await Promise.all([other.stop(), part.stop()]);

  client = await connect(server);
  expect(Object.values(wordsInFolder(dataDir, [METADATA_WORD])).flat()).not.toEqual([]);
  expect((await client.request('DELETE', '/memory?user_id=ada&session_id=p')).status).toBe(200);
  await untilGone(dataDir, [METADATA_WORD]);
  const { hits } = await client.recall({ q: 'What sleeps?', scope: {}, filter: PLANNER } as never);
  expect(hits).toEqual({ turns: [], observations: [], entities: [] });
  await server.stop();
}, 120_000);
