import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../support/client.ts';
import { runCommand } from '../support/command-line.ts';
import { startServer } from '../support/server.ts';
import { lostKey } from './lost-key.ts';

test('an operator whose last key is lost gets another, with the server running and without', async () => {
  const first = await startServer();
  const environment = { TURNSTONE_DATA_DIR: first.dataDir };
  const found = await lostKey(first.url, first.apiKey, 'local', environment);
  // The command line works again.
  expect(readFileSync(join(first.dataDir, 'api-key'), 'utf8')).toBe(`${found}\n`);
  await first.stop();
  const { status, stdout } = await runCommand(['keys', 'recover', '--org', 'local'], environment);
  expect(status).toBe(0);
  const second = await startServer({ dataDir: first.dataDir });
  await connect({ url: second.url, apiKey: /^API key: (\S+)$/m.exec(stdout)![1]! });
  await second.stop();
});
