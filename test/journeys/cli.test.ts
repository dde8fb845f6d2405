import { once } from 'node:events';
import { chmodSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, spawnCommand, spawnProgram } from '../support/processes/command-line.ts';
import { MAIN, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';

const turn = (day: number, role: string, text: string, session = 'garden'): string =>
  JSON.stringify({
    session_id: session,
    role,
    text,
    timestamp: `2026-03-${String(day).padStart(2, '0')}T09:30:00Z`,
  });

const CHAT = [
  turn(1, 'Ada', 'The old pear tree has to go before the storms come.'),
  turn(1, 'Grace', 'I asked a gardener from Porto, she is free on Thursday.'),
  turn(9, 'Ada', 'We planted two quince trees where the pear tree stood.'),
  turn(12, 'Grace', 'My flight to Oslo leaves on Friday morning.', 'travel'),
].join('\n');

describe('a first start', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer();
  });
  afterAll(() => server.stop());

  it('prints the key in a line of its own and keeps it for its owner alone', () => {
    expect(server.stdout()).toMatch(/^Turnstone \S+ is ready on http:\/\/127\.0\.0\.1:\d+$/m);
    expect(server.stdout().match(/^API key: (\S+)$/m)?.[1]).toBe(server.apiKey);
    expect(server.stdout().split(server.apiKey)).toHaveLength(2);
    expect(statSync(join(server.dataDir, 'api-key')).mode & 0o777).toBe(0o600);
  });

  it('makes files for their owner alone, whatever the folder allows', async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o755);
    const shared = await startServer({ dataDir });
    const open = () =>
      readdirSync(dataDir).filter(name => (statSync(join(dataDir, name)).mode & 0o077) !== 0);
    const files = readdirSync(dataDir);
    for (const name of [
      'log.db',
      'log.db-wal',
      'keys.db',
      'projections-1.db',
      'projections-1.db-wal',
      'lock',
    ])
      expect(files).toContain(name);
    expect(open()).toEqual([]);
    await shared.stop();
    // Copied from a backup, they may be open to others.
    for (const name of ['log.db', 'keys.db', 'projections-1.db']) chmodSync(join(dataDir, name), 0o644);
    const restored = await startServer({ dataDir });
    expect(open()).toEqual([]);
    await restored.stop();
  });

  it('prints curl lines that work when they are pasted into a shell', async () => {
    const lines = server
      .stdout()
      .split('\n')
      .filter(line => /^ {2}(KEY=|curl )/.test(line));
    expect(lines).toHaveLength(3);
    const { stdout } = await spawnProgram('sh', ['-c', lines.join('; echo;')]);
    const [, accepted, recalled] = stdout.split('\n').filter((line, index) => line !== '' || index === 0);
    expect(JSON.parse(accepted!)).toMatchObject({
      active_fragment_ids: [expect.any(String)],
      usage: { tokens_out: 0 },
    });
    expect(JSON.parse(recalled!).hits.turns[0].text).toBe(
      '[2026-04-02] [Ada] My sister Grace moved to Lisbon in March.',
    );
  });

  it('keeps the key to itself on the second start, and is found by commands on any port', async () => {
    await server.stop();
    server = await startServer({ dataDir: server.dataDir });
    expect(server.stdout()).not.toContain('API key');
    const { status } = await spawnCommand(['usage'], {
      TURNSTONE_DATA_DIR: server.dataDir,
    });
    expect(status).toBe(0);
  });
});

describe('commands for people', () => {
  let server: Server;
  let environment: Record<string, string>;
  beforeAll(async () => {
    server = await startServer({ environment: { TURNSTONE_QUOTA_TOKENS_IN: '60' } });
    environment = { TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir };
  });
  afterAll(() => server.stop());

  const command = (args: string[], stdin = '') => runCommand(args, environment, stdin);

  it('ingest, be refused at the quota, get a higher one, go on, and pay nothing twice', async () => {
    const first = await command(['ingest', '-', '--in-flight', '1'], CHAT);
    expect(first).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^4 turns stored in 2 requests, \d+ tokens billed/),
    });

    const more = `${CHAT}\n${turn(20, 'Ada', 'word '.repeat(100))}`;
    const refused = await command(['ingest', '-'], more);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('turnstone orgs set-limits local --tokens-in N');

    const raised = await command(['orgs', 'set-limits', 'local', '--tokens-in', '0']);
    expect(raised).toMatchObject({ status: 0, stdout: expect.stringContaining('local: no cap tokens in') });
    const again = await command(['ingest', '-'], more);
    expect(again.stdout).toMatch(/^5 turns stored/);
    const third = await command(['ingest', '-'], more);
    expect(third.stdout).toMatch(/^5 turns stored in 2 requests, 0 tokens billed/);
  });

  it('recall, in words and as JSON, within a session', async () => {
    const { status, stdout } = await command(['recall', 'Which trees did they plant?', '--kinds', 'turn']);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\S.*\(confidence \d\.\d\d\): \d+ turns?/);
    expect(stdout).toMatch(/^ {2}1 {2}2026-03-09 Ada: We planted two quince trees/m);
    const json = await command(['recall', 'When does the flight leave?', '--session', 'travel', '--json']);
    expect(JSON.parse(json.stdout).hits.turns.map((hit: { session_id: string }) => hit.session_id)).toEqual([
      'travel',
    ]);
  });

  it('see the usage of today and of the month', async () => {
    const { today, month } = JSON.parse((await command(['usage', '--json'])).stdout);
    expect(today.tokens_in).toBeGreaterThan(100);
    expect(month.tokens_in).toBe(today.tokens_in);
    expect((await command(['usage'])).stdout).toContain('no cap');
  });

  it('make a key that may only read, list it and revoke it', async () => {
    const created = await command(['keys', 'create', 'reader', '--roles', 'memory:read']);
    const key = /^API key: (\S+)$/m.exec(created.stdout)![1]!;
    const id = /^id (\S+),/m.exec(created.stdout)![1]!;
    const asReader = { ...environment, TURNSTONE_API_KEY: key };
    expect(await runCommand(['recall', 'Who flies?'], asReader)).toMatchObject({ status: 0 });
    expect(await runCommand(['ingest', '-'], asReader, CHAT)).toMatchObject({ status: 77 });
    expect((await command(['keys', 'list'])).stdout).toContain(id);
    expect(await command(['keys', 'revoke', id])).toMatchObject({ status: 0 });
    expect(await runCommand(['recall', 'Who flies?'], asReader)).toMatchObject({ status: 77 });
  });

  it('set the caps of an organization while no server runs, too', async () => {
    await server.stop();
    const offline = await command(['orgs', 'set-limits', 'local', '--tokens-out', '12345']);
    expect(offline).toMatchObject({ status: 0, stderr: '' });
    server = await startServer({ dataDir: server.dataDir });
    environment = { ...environment, TURNSTONE_URL: server.url };
    const { today } = JSON.parse((await command(['usage', '--json'])).stdout);
    expect(today.limits).toEqual({ tokens_in: 0, tokens_out: 12_345 });
    expect((await command(['orgs', 'list'])).stdout).toMatch(
      /^local +\S+ +no cap +12,345 +1,000 \/ 10,000 \/ 1,000 +for ever +off \(/m,
    );
  });
});

describe('starting and stopping', () => {
  it('refuses a second process on a data folder and a port that is taken, with 69 and one line', async () => {
    const server = await startServer();
    const second = await spawnCommand(['serve'], { TURNSTONE_DATA_DIR: server.dataDir, TURNSTONE_PORT: '0' });
    expect(second).toMatchObject({ status: 69, stdout: '' });
    expect(second.stderr).toMatch(/^turnstone: .*(in use|another process).*\n$/);
    const taken = await spawnCommand(['serve'], {
      TURNSTONE_DATA_DIR: temporaryFolder(),
      TURNSTONE_PORT: new URL(server.url).port,
    });
    expect(taken).toMatchObject({
      status: 69,
      stderr: expect.stringMatching(/^turnstone: .* is in use .*TURNSTONE_PORT.*\n$/),
    });
    expect(await server.stop()).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('closes in order on %s and ends with 0', async signal => {
    const server = await startServer({ environment: { TURNSTONE_LOG_LEVEL: 'info' } });
    server.child.kill(signal);
    const [status] = await once(server.child, 'exit');
    expect(status).toBe(0);
    const logged = server
      .stderr()
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).msg);
    expect(logged.slice(-2)).toEqual(['closing', 'closed']);
  });

  it('takes a second signal of the same moment for an echo', async () => {
    const server = await startServer();
    server.child.kill('SIGINT');
    server.child.kill('SIGINT');
    const [status] = await once(server.child, 'exit');
    expect(status).toBe(0);
  });

  it('names all faults of the configuration, ends with 78 and makes no data folder', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    const { status, stderr, stdout } = await spawnCommand(['serve'], {
      TURNSTONE_DATA_DIR: dataDir,
      TURNSTONE_MODE: 'clusters',
      TURNSTONE_PORT: 'eighty',
    });
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(/TURNSTONE_MODE.*\n.*TURNSTONE_PORT/);
    expect(() => statSync(dataDir)).toThrow('ENOENT');
  });

  it('says what an old Node needs, in one line', async () => {
    const pretend =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
    const { status, stderr } = await spawnProgram(process.execPath, [
      '--import',
      `data:text/javascript,${encodeURIComponent(pretend)}`,
      MAIN,
      'serve',
    ]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'turnstone: Node 24 or newer is needed, this is 20.20.2\n',
    });
  });
});
