import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../support/client.ts';
import { type Server, startServer } from '../support/server.ts';
import { until } from '../support/wait.ts';
import { rotation } from './signing-keys.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

test('signing keys are rotated under load without a refused token', () =>
  rotation([server.url], server.apiKey, { TURNSTONE_DATA_DIR: server.dataDir }));

test('a broken file of signing keys changes nothing, and is in the log', async () => {
  writeFileSync(join(server.dataDir, 'signing-keys.json'), '{"keys": [');
  await until('it is reported', () => server.stderr().includes('the signing keys could not be read'));
  const answer = await send(`${server.url}/auth/token-exchange`, 'POST', { api_key: server.apiKey });
  expect(answer.status).toBe(200);
});
