import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../support/client.ts';
import { runCommand } from '../support/command-line.ts';
import { startServer, temporaryFolder } from '../support/server.ts';
import { correctSome, correctTogether, expectCorrected } from './correction.ts';

it('tells what was corrected, after a kill, a rebuild and an import too', async () => {
  const dataDir = temporaryFolder();
  let server = await startServer({ dataDir });
  const { apiKey } = server;
  await correctSome(server.url, await connect(server));
  await expectCorrected({ url: server.url, apiKey });
  await correctTogether(server.url, await connect(server));
  await server.kill();

  for (const name of readdirSync(dataDir)) if (name.startsWith('projections')) rmSync(join(dataDir, name));
  server = await startServer({ dataDir });
  await expectCorrected({ url: server.url, apiKey });
  const { status, stdout } = await runCommand(['verify'], { TURNSTONE_DATA_DIR: dataDir });
  expect([status, stdout]).toEqual([0, expect.stringContaining('no differences')]);

  const file = join(temporaryFolder(), 'local.jsonl');
  const exported = await runCommand(['export', '--org', 'local', '--output', file], {
    TURNSTONE_DATA_DIR: dataDir,
  });
  expect(exported).toMatchObject({ status: 0, stderr: '' });
  await server.stop();
  const target = await startServer();
  const into = { TURNSTONE_DATA_DIR: target.dataDir };
  const imported = () => runCommand(['import', file], into);
  expect((await imported()).stdout).toContain('0 were there already');
  await expectCorrected(target);
  expect((await imported()).stdout).toContain('0 events written');
  await target.stop();
});
