/** Backups of a data folder that are not what they were, or go where something is. */
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, settled } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';

const TURN = { role: 'user', text: 'The pear tree is old.', timestamp: '2026-01-05T09:30:00Z' };

let server: Server;
let backup: string;
const run = (dataDir: string, ...args: string[]) =>
  runCommand(args, { TURNSTONE_DATA_DIR: dataDir, TURNSTONE_LOG_LEVEL: 'error' });
const newFolder = (): string => join(temporaryFolder(), 'data');

beforeAll(async () => {
  server = await startServer();
  const client = await connect(server);
  await client.ingest({ scope: { user_id: 'ada' }, turns: [TURN] });
  backup = join(temporaryFolder(), 'backup');
  expect(await run(server.dataDir, 'backup', backup)).toMatchObject({ status: 0 });
});
afterAll(() => server?.stop());

/** A copy of the backup that a test may spoil. */
const spoilt = (spoil: (folder: string) => void): string => {
  const folder = join(temporaryFolder(), 'spoilt');
  cpSync(backup, folder, { recursive: true });
  spoil(folder);
  return folder;
};

const flipByte = (path: string): void => {
  const bytes = readFileSync(path);
  const at = Math.floor(bytes.length / 2);
  bytes[at]! ^= 1;
  writeFileSync(path, bytes);
};

describe('a backup', () => {
  it('is its owner’s alone, and is restored, built and verified in one command', async () => {
    for (const name of readdirSync(backup)) expect(statSync(join(backup, name)).mode & 0o077, name).toBe(0);
    const folder = newFolder();
    const { status, stdout } = await run(folder, 'restore', backup, '--verify');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^Verified: \d+ rows, no difference\.$/m);
    const restored = await startServer({ dataDir: folder });
    const client = await connect(restored);
    await settled(restored.url, 60_000);
    const { usage } = await client.ingest({ scope: { user_id: 'ada' }, turns: [TURN] });
    expect(usage.tokens_in).toBe(0);
    const { hits } = await client.recall({ q: 'How old is the pear tree?' });
    expect(hits.turns[0]!.text).toContain('The pear tree is old.');
    await restored.stop();
  });

  it.each<[string, (folder: string) => void, string]>([
    ['whose log was changed', folder => flipByte(join(folder, 'log.db')), 'log.db has other bytes'],
    ['whose keys are missing', folder => rmSync(join(folder, 'keys.db')), 'keys.db is missing'],
    ['that was not finished', folder => rmSync(join(folder, 'backup.json')), 'is no whole backup'],
    [
      'of another form',
      folder => writeFileSync(join(folder, 'backup.json'), '{"form":"x","files":[]}'),
      'is of another version',
    ],
    [
      'that names a file outside',
      folder => {
        const manifest = join(folder, 'backup.json');
        writeFileSync(manifest, readFileSync(manifest, 'utf8').replace('"api-key"', '"../api-key"'));
      },
      'is of another version, or was changed',
    ],
  ])('%s is refused before anything is written', async (_, spoil, says) => {
    const folder = newFolder();
    const { status, stderr } = await run(folder, 'restore', spoilt(spoil));
    expect(status).toBe(1);
    expect(stderr).toContain(says);
    expect(existsSync(folder)).toBe(false);
  });

  it('without the key is restored with the key, and not without', async () => {
    const keyless = join(temporaryFolder(), 'keyless');
    const { stderr } = await run(server.dataDir, 'backup', keyless, '--no-installation-key');
    expect(stderr).toContain("It can't be read without");
    expect(readdirSync(keyless)).not.toContain('installation-key');
    const folder = newFolder();
    const refused = await run(folder, 'restore', keyless);
    expect([refused.status, existsSync(folder)]).toEqual([1, false]);
    expect(refused.stderr).toContain('name its file with --installation-key');
    const key = join(server.dataDir, 'installation-key');
    const done = await run(folder, 'restore', keyless, '--installation-key', key, '--verify');
    expect(done.status).toBe(0);
  });

  it('that was put back in part serves nothing', async () => {
    // An end in the middle, as by a full disk: the file that is copied last can't be.
    const folder = newFolder();
    const withoutKey = spoilt(copy => rmSync(join(copy, 'installation-key')));
    const manifest = join(withoutKey, 'backup.json');
    const { files, ...rest } = JSON.parse(readFileSync(manifest, 'utf8'));
    const kept = files.filter(({ name }: { name: string }) => name !== 'installation-key');
    writeFileSync(manifest, JSON.stringify({ ...rest, files: kept }));
    const cut = await run(folder, 'restore', withoutKey, '--installation-key', temporaryFolder());
    expect(cut.status).not.toBe(0);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['keys.db', 'log.db']));
    expect(readdirSync(folder)).not.toContain('installation-key');
    await expect(startServer({ dataDir: folder })).rejects.toThrow('installation-key is missing');
  });

  it('replaces nothing', async () => {
    const again = await run(server.dataDir, 'backup', backup);
    expect([again.status, again.stderr]).toEqual([1, `turnstone: ${backup} is not empty.\n`]);
    const over = await run(server.dataDir, 'restore', backup);
    expect([over.status, over.stderr]).toEqual([1, `turnstone: ${server.dataDir} is not empty.\n`]);
  });

  it('is of a data folder', async () => {
    const nothing = await run(newFolder(), 'backup', join(temporaryFolder(), 'b'));
    expect([nothing.status, nothing.stderr]).toEqual([
      1,
      expect.stringContaining('There is no data folder at'),
    ]);
    const cluster = await runCommand(['backup', join(temporaryFolder(), 'b')], {
      TURNSTONE_MODE: 'cluster',
      TURNSTONE_KAFKA_BROKERS: 'localhost:1',
      TURNSTONE_ELASTICSEARCH_URL: 'http://localhost:1',
      TURNSTONE_CLICKHOUSE_URL: 'http://localhost:1',
      TURNSTONE_REDIS_URL: 'redis://localhost:1',
    });
    expect(cluster.status).toBe(78);
  });
});
