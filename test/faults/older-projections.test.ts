import { copyFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';

const start = async (dataDir?: string): Promise<Server> => {
  const server = await startServer(dataDir === undefined ? {} : { dataDir });
  onTestFinished(() => server.kill());
  return server;
};

const copyProjections = (from: string, to: string): void => {
  const filesIn = (folder: string) => readdirSync(folder).filter(name => name.startsWith('projections-'));
  for (const name of filesIn(to)) rmSync(join(to, name));
  for (const name of filesIn(from)) copyFileSync(join(from, name), join(to, name));
};

/**
 * A projections' file holds its own positions, written with its rows: restored from a copy, it goes on from
 * there.
 */
it('a projections file that was restored from an older copy catches up, and loses nothing', async () => {
  const first = await start();
  await (await connect(first)).ingest({ turns: [turn(0)] });
  await settled(first.url);
  await first.stop();
  const copy = temporaryFolder();
  copyProjections(first.dataDir, copy);

  const second = await start(first.dataDir);
  const client = await connect(second);
  const written: string[] = [];
  for (let n = 1; n <= 5; n++)
    written.push(...(await client.ingest({ turns: [turn(n)] })).active_fragment_ids);
  await settled(second.url);
  await second.stop();
  copyProjections(copy, first.dataDir);

  const third = await start(first.dataDir);
  await settled(third.url);
  const after = await connect(third);
  for (const id of written) expect((await after.request('GET', `/memory/turns/${id}`)).status).toBe(200);
  const verified = await runCommand(['verify'], { TURNSTONE_DATA_DIR: first.dataDir });
  expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
});
