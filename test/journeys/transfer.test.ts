import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { accessToken, connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { startServer, temporaryFolder } from '../support/processes/server.ts';
import { CLOCK, expectKnown, fill, snapshot, summaryOf } from '../support/worlds/transfer-world.ts';

const environment = { TURNSTONE_CLOCK: CLOCK };

/**
 * Switched off by hand: services/workers/enricher/enrich.ts enriches what was imported too → the second
 * export has more events.
 */
it('carries an organization to another installation: the same answers, the same bill, nothing anew', async () => {
  const source = await startServer({ environment });
  const client = await connect(source);
  await fill(client, source.url);
  const folder = temporaryFolder();
  const file = join(folder, 'local.jsonl');

  const exported = await runCommand(['export', '--org', 'local', '--output', file], {
    TURNSTONE_DATA_DIR: source.dataDir,
  });
  expect(exported).toMatchObject({ status: 0, stderr: '' });
  expect(exported.stdout).toMatch(/^\d+ events of local in /);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { header, types, trailer } = summaryOf(file);
  expect(header).toMatchObject({ format: 'turnstone-export', version: 1, org_id: 'local' });
  expect(types).toEqual({
    'write.accepted': 5,
    'turn.recorded': 17,
    'observations.extracted': 16,
    'recall.metered': 2,
  });
  expect(trailer).toEqual({ end: true, events: 40, billed: 0 });

  // The same over HTTP, to whoever has the role `*`, and to nobody else.
  const token = await accessToken(source.url, source.apiKey);
  const over = await fetch(`${source.url}/export`, { headers: { authorization: `Bearer ${token}` } });
  const withoutTime = (text: string): string => text.replace(/"exported_at":"[^"]*"/, '');
  expect(over.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
  expect(withoutTime(await over.text())).toBe(withoutTime(readFileSync(file, 'utf8')));
  const { body: reader } = await client.request<{ api_key: string }>('POST', '/me/api-keys', {
    name: 'reader',
    roles: ['memory:read'],
  });
  const readers = await connect({ url: source.url, apiKey: reader.api_key });
  expect((await readers.request('GET', '/export')).status).toBe(403);

  const target = await startServer({ environment });
  const into = { TURNSTONE_DATA_DIR: target.dataDir };
  const dry = await runCommand(['import', file, '--dry-run'], into);
  expect(dry).toEqual({
    status: 0,
    stdout: '40 events with 17 turns of local would be imported into local; nothing was written.\n',
    stderr: '',
  });
  expect((await runCommand(['import', file], into)).stdout).toBe(
    '40 events with 17 turns of local to be imported into local\n40 events written; 0 were there already.\n',
  );
  const there = await connect(target);
  const afterImport = await there.today();
  expect(afterImport.tokens_in).toBe((await client.today()).tokens_in);
  await settled(target.url);
  expect((await runCommand(['import', file], into)).stdout).toContain(
    '0 events written; 40 were there already.',
  );
  await settled(target.url);
  expect(await snapshot(there)).toEqual(await snapshot(client));
  await expectKnown(there);

  const again = join(folder, 'again.jsonl');
  await settled(target.url);
  await runCommand(['export', '--org', 'local', '--output', again], into);
  const { types: taken } = summaryOf(again);
  expect({ ...taken, 'write.accepted': 5, 'recall.metered': 2 }).toEqual(types);
  // With the server gone the command opens the folder itself.
  await target.stop();
  const offline = await runCommand(['export', '--org', 'local'], into);
  expect(offline.stdout).toContain('"end":true');
  await source.stop();
});

it('takes an organization in under another name, beside the first, and refuses a faulty file whole', async () => {
  const server = await startServer({ environment });
  const client = await connect(server);
  await fill(client, server.url);
  const folder = temporaryFolder();
  const file = join(folder, 'local.jsonl');
  const here = { TURNSTONE_DATA_DIR: server.dataDir };
  await runCommand(['export', '--org', 'local', '--output', file], here);

  const missing = await runCommand(['import', file, '--org', 'second'], here);
  expect(missing).toMatchObject({ status: 1, stdout: '' });
  expect(missing.stderr).toContain('There is no organization second');
  const { stdout } = await runCommand(['orgs', 'create', 'second'], here);
  const second = await connect({ url: server.url, apiKey: /API key: (\S+)/.exec(stdout)![1]! });

  const lines = readFileSync(file, 'utf8').trim().split('\n');
  const bad = join(folder, 'bad.jsonl');
  const faulty = [...lines];
  faulty[2] = '{"type":"turn.recorded"';
  faulty[4] = faulty[4]!.replace('"version":', '"version":9');
  faulty[5] = faulty[5]!.replace(/"recorded_at":"[^"]*"/, '"recorded_at":"yesterday"');
  faulty.pop();
  writeFileSync(bad, faulty.join('\n'));
  const refused = await runCommand(['import', bad, '--org', 'second'], here);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toContain('line 3: is not JSON');
  expect(refused.stderr).toContain('line 5: version must be 1 to');
  expect(refused.stderr).toContain('line 6: recorded_at must be an instant');
  expect(refused.stderr).toContain(
    `line ${faulty.length}: is the last line, but not the end of an export: the file was cut short`,
  );
  expect((await second.today()).tokens_in).toBe(0);

  const before = await client.today();
  const taken = await runCommand(['import', file, '--org', 'second'], here);
  expect(taken.stdout).toContain('40 events written');
  await settled(server.url);
  expect(await second.today()).toEqual(before);
  expect(await client.today()).toEqual(before);
  expect((await snapshot(second)).answers).toEqual((await snapshot(client)).answers);
  await server.stop();
});
