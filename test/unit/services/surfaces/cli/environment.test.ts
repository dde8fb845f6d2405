import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type StubService, startStub } from '../../../../support/http/stub-service.ts';
import { runCommand } from '../../../../support/processes/command-line.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

let stub: StubService | undefined;
afterEach(async () => {
  await stub?.close();
  stub = undefined;
});

describe('exit statuses', () => {
  it.each([
    [['fly']],
    [['recall']],
    [['recall', 'x', '--mode', 'fast']],
    [['recall', 'x', '--top-k', 'many']],
    [['ingest', '-', '--in-flight', '0']],
    [['orgs', 'set-limits', 'local']],
    [['serve', 'extra']],
    [['keys']],
  ])('are 2 for wrong usage: %j', async args => {
    const { status, stderr } = await runCommand(args);
    expect(status).toBe(2);
    expect(stderr).not.toBe('');
  });

  it.each([
    [['recall', 'x', '--top-k', '31'], '--top-k', 'from 1 to 30'],
    [['recall', 'x', '--kinds', 'turn,facts'], '--kinds', 'any of turn, observation, entity'],
    [['recall', 'x', '--since', 'yesterday'], '--since', 'a day like 2026-04-02'],
    [['recall', 'x', '--until', '2026-02-30'], '--until', 'a day like 2026-04-02'],
    [['recall', 'x', '--as-of', '12:00'], '--as-of', 'a day like 2026-04-02'],
    [['recall', 'x', '--since', '2026-04-02', '--until', '2026-04-01'], '--until', 'before --since'],
    [['recall', 'x'.repeat(8_193)], 'question', '1 to 8192 characters'],
    [['recall', 'x', '--user', ''], '--user', '1 to 256 characters'],
    [['ingest', '-', '--in-flight', '65'], '--in-flight', 'from 1 to 64'],
    [['usage', '--month', '2026-13'], '--month', 'a month like 2026-04'],
    [['keys', 'create', 'x'.repeat(129)], 'name', '1 to 128 characters'],
    [['keys', 'create', 'x', '--roles', 'admin'], '--roles', 'any of memory:write'],
    [['erase', '--user', 'x'.repeat(257), '--yes'], '--user', '1 to 256 characters'],
  ])('are 2 for a wrong value, with its name and bounds: %j', async (args, name, bounds) => {
    stub = await startStub();
    const environment = { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'k' };
    const { status, stderr } = await runCommand(args, environment);
    expect([status, stub.seen]).toEqual([2, []]);
    expect(stderr).toContain(name);
    expect(stderr).toContain(bounds);
  });

  it.each([[['--help']], [['ingest', '--help']], [['--version']]])('are 0 for %j', async args => {
    expect(await runCommand(args)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/\S/),
      stderr: '',
    });
  });

  it.each([['serve'], ['config'], ['recall', 'x'], ['orgs', 'list']])(
    'are 78 for a faulty configuration: %s',
    async (...args) => {
      const { status, stderr } = await runCommand(args, { TURNSTONE_PORT: 'x', TURNSTONE_SIGNUP: 'y' });
      expect(status).toBe(78);
      expect(stderr).toMatch(/TURNSTONE_PORT.*\n.*TURNSTONE_SIGNUP/);
    },
  );

  it('are 77 without a key and for a key that is refused', async () => {
    const none = await runCommand(['usage'], { TURNSTONE_DATA_DIR: temporaryFolder() });
    expect(none).toMatchObject({ status: 77, stderr: expect.stringContaining('TURNSTONE_API_KEY') });
    stub = await startStub(() => ({ status: 401, body: { message: 'unknown key' } }));
    const refused = await runCommand(['usage'], { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_k' });
    expect(refused).toMatchObject({ status: 77, stderr: expect.stringContaining('unknown key') });
  });

  it('are 2 for an id that would be another path, and nothing is sent', async () => {
    stub = await startStub();
    const ended = await runCommand(['keys', 'revoke', '..'], {
      TURNSTONE_URL: stub.url,
      TURNSTONE_API_KEY: 'ts_k',
    });
    expect(ended).toMatchObject({ status: 2, stderr: expect.stringContaining('An id must be') });
    expect(stub.seen).toEqual([]);
  });

  it('are 69 when nobody listens', async () => {
    stub = await startStub();
    await stub.close();
    const ended = await runCommand(['keys', 'create', 'x'], {
      TURNSTONE_URL: stub.url,
      TURNSTONE_API_KEY: 'k',
    });
    expect(ended).toMatchObject({ status: 69, stderr: expect.stringContaining('no answer from') });
  });
});

describe('a server that nobody reaches, or that refuses the key', () => {
  it.each(['unreachable', 'refusing'])('is named with the source of the key: %s', async kind => {
    stub = await startStub(() => ({ status: 401, body: { message: 'unknown key' } }));
    if (kind === 'unreachable') await stub.close();
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'api-key'), 'ts_local\n');
    const stored = await runCommand(['usage'], { TURNSTONE_URL: stub.url, TURNSTONE_DATA_DIR: dataDir });
    const given = await runCommand(['usage'], { TURNSTONE_URL: stub.url, TURNSTONE_API_KEY: 'ts_given' });
    for (const [{ stderr }, source] of [
      [stored, join(dataDir, 'api-key')],
      [given, 'TURNSTONE_API_KEY'],
    ] as const) {
      expect(stderr).toContain(`the server is ${stub.url}, the key is from ${source}\n`);
      expect(stderr).toContain('turnstone serve starts a server');
      expect(stderr).not.toMatch(/ts_(local|given)/);
    }
  });
});

it.each(['ts_s3cret ü', 'ts_a\nts_s3cret'])(
  'a key that fits in no header is refused without being printed: %j',
  async TURNSTONE_API_KEY => {
    const ended = await runCommand(['keys', 'list'], {
      TURNSTONE_URL: 'http://127.0.0.1:9',
      TURNSTONE_API_KEY,
    });
    expect(ended.status).toBe(78);
    expect(ended.stderr).toContain('the API key contains characters that no key has');
    expect(ended.stdout + ended.stderr).not.toContain('s3cret');
  },
);

it('a TURNSTONE_URL with a password is refused without being printed', async () => {
  const ended = await runCommand(['keys', 'list'], {
    TURNSTONE_URL: 'http://ada:s3cret@127.0.0.1:9',
    TURNSTONE_API_KEY: 'k',
  });
  expect(ended.status).toBe(78);
  expect(ended.stderr).toContain('TURNSTONE_URL must not contain a user or password');
  expect(ended.stdout + ended.stderr).not.toContain('s3cret');
});

describe('the key in the data folder', () => {
  it('is used for a server on this machine and for no other', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'api-key'), 'ts_local\n');
    stub = await startStub(({ method }) =>
      method === 'GET' ? { status: 200, body: { api_keys: [] } } : undefined,
    );
    const local = await runCommand(['keys', 'list'], {
      TURNSTONE_URL: `${stub.url}/`,
      TURNSTONE_DATA_DIR: dataDir,
    });
    expect([local.status, stub.seen[0]!.apiKey]).toEqual([0, 'ts_local']);
    const other = await runCommand(['keys', 'list'], {
      TURNSTONE_URL: 'http://memory.example',
      TURNSTONE_DATA_DIR: dataDir,
    });
    expect(other).toMatchObject({ status: 78, stderr: expect.stringContaining('TURNSTONE_API_KEY') });
  });
});

describe("the data folder's server", () => {
  it('is asked at the address that it wrote there, before the configured one', async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, 'api-key'), 'ts_local\n');
    stub = await startStub(({ method }) =>
      method === 'GET' ? { status: 200, body: { api_keys: [] } } : undefined,
    );
    writeFileSync(join(dataDir, 'url'), `${stub.url}\n`);
    const { status } = await runCommand(['keys', 'list'], {
      TURNSTONE_DATA_DIR: dataDir,
      TURNSTONE_PORT: '1',
    });
    expect([status, stub.seen[0]!.apiKey]).toEqual([0, 'ts_local']);
  });
});

describe('turnstone config', () => {
  it('prints lines that a shell can read, without secrets', async () => {
    const { status, stdout, stderr } = await runCommand(['config'], {
      TURNSTONE_DATA_DIR: './my data',
      TURNSTONE_API_KEY: 'ts_secret',
      TURNSTONE_PROT: '1',
    });
    expect(status).toBe(0);
    expect(stdout).toContain("TURNSTONE_DATA_DIR='./my data'\n");
    expect(stdout).toContain('TURNSTONE_PORT=8080   # default\n');
    expect(stdout).not.toContain('ts_secret');
    expect(stderr).toBe('turnstone: nothing reads TURNSTONE_PROT\n');
  });
});
