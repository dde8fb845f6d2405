import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';

/** The doctor beside a real service, and what is left of it there. */

let server: Server;
let client: Client;

beforeAll(async () => {
  server = await startServer();
  client = await connect(server);
  await client.ingest({
    scope: { user_id: 'ada', session_id: 's' },
    turns: [{ role: 'Ada', text: 'Grace moved to Lisbon.', timestamp: '2026-03-01T10:00:00Z' }],
  });
  await settled(server.url);
});
afterAll(async () => {
  await server.kill();
});

const doctor = (environment: Record<string, string> = {}) =>
  runCommand(['doctor'], { TURNSTONE_DATA_DIR: server.dataDir, ...environment });

const usersOf = async (): Promise<unknown> =>
  (await client.request<{ users: unknown }>('GET', '/memory/users')).body.users;

it('finds a service well, and leaves nothing in it', async () => {
  const before = await usersOf();
  const { status, stdout, stderr } = await doctor();
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter(one => /^(warn|fail)/.test(one))).toEqual([]);
  expect(status).toBe(0);
  for (const name of [
    'settings',
    'permissions',
    'disk',
    'data folder',
    'generations',
    'dead letters',
    'server',
  ])
    expect(stdout, name).toMatch(new RegExp(`^ok    ${name} `, 'm'));
  for (const name of [
    'engine log',
    'engine projections',
    'engine enricher',
    'version',
    'projector lag',
    'key',
    'write',
    'recall',
  ])
    expect(stdout, name).toMatch(new RegExp(`^ok    ${name} `, 'm'));
  expect(stdout).toMatch(/^ok {4}taken away +erased in \d+ ms$/m);
  expect(stdout).not.toContain(server.apiKey);
  await settled(server.url);
  expect(await usersOf()).toEqual(before);
  const { hits } = await client.recall({ q: 'What is the check word of this test?', kinds: ['turn'] });
  expect(JSON.stringify(hits)).not.toContain('check word');
});

it('says of a key of less rights what it did not try, or left to the expiry', async () => {
  const keyOf = async (...roles: string[]): Promise<string> =>
    (
      await client.request<{ api_key: string }>('POST', '/me/api-keys', {
        name: 'doctor',
        roles,
        user_id: 'ada',
      })
    ).body.api_key;
  const writes = await doctor({ TURNSTONE_API_KEY: await keyOf('memory:write', 'memory:read') });
  expect(writes.status).toBe(0);
  expect(writes.stdout).toMatch(/^ok {4}recall +it is found/m);
  expect(writes.stdout).toMatch(/^warn {2}taken away +the key may neither erase nor hide the turn/m);
  const reads = await doctor({ TURNSTONE_API_KEY: await keyOf('memory:read') });
  expect(reads.status).toBe(0);
  expect(reads.stdout).toMatch(/^warn {2}write +not tried: the key lacks memory:write/m);
});

it('puts into one file what helps, and no word or secret of anybody', async () => {
  const file = join(temporaryFolder(), 'support.json');
  const made = await runCommand(['support-bundle', file], {
    TURNSTONE_DATA_DIR: server.dataDir,
    TURNSTONE_LLM_API_KEY: 'sk-of-the-model',
    TURNSTONE_TYPO: 'x',
  });
  expect([made.status, made.stdout]).toEqual([
    0,
    expect.stringMatching(/^\S+support\.json has \d+ checks, 0 of them failed\.\n$/),
  ]);
  const text = readFileSync(file, 'utf8');
  const bundle = JSON.parse(text);
  expect(bundle.settings).toMatchObject({
    faults: [],
    set: { TURNSTONE_LLM_API_KEY: '(set)' },
    unknown: ['TURNSTONE_TYPO'],
  });
  expect(bundle.files['log.db']).toBeGreaterThan(0);
  expect(bundle.metrics).toContainEqual(expect.stringMatching(/^turnstone_build_info\{/));
  expect(bundle.checks).toContainEqual(expect.objectContaining({ name: 'key', status: 'ok' }));
  for (const secret of [server.apiKey, 'sk-of-the-model', 'Grace', 'Lisbon'])
    expect(text.includes(secret), secret).toBe(false);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const again = await runCommand(['support-bundle', file], { TURNSTONE_DATA_DIR: server.dataDir });
  expect([again.status, again.stderr]).toEqual([1, expect.stringContaining('name a new file')]);
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('ends with a line for a server that hangs, and for one that is gone', async () => {
  server.child.kill('SIGSTOP');
  const hanging = await doctor();
  server.child.kill('SIGCONT');
  expect(hanging.status).toBe(1);
  expect(hanging.stdout).toMatch(/^fail {2}data folder .*holds it and does not answer on its socket/m);
  expect(hanging.stdout).toMatch(/^fail {2}server .*no answer from .*, none within 8 s/m);
  await server.kill();
  const gone = await doctor();
  expect(gone.status).toBe(1);
  expect(gone.stdout).toMatch(/^warn {2}data folder .*no server runs on it/m);
  expect(gone.stdout).toMatch(/^fail {2}server .*no answer from .*, ECONNREFUSED/m);
});
