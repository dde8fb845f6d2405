import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openKeyStore } from '../../infra/embedded/key-store.ts';
import { connectWriter, startWriter } from '../../infra/embedded/writer.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeKeyStore, type OpenKeys } from './key-store.contract.ts';

const installationKey = Buffer.alloc(32, 7);

const open = async (folder = temporaryFolder(), wrapping = installationKey): Promise<OpenKeys> => {
  const keysPath = join(folder, 'keys.db');
  const writer = await startWriter({ logPath: join(folder, 'log.db'), keysPath }, () => {});
  const connections = [connectWriter(writer.port()), connectWriter(writer.port())];
  const [keys, other] = connections.map(connection => openKeyStore(keysPath, wrapping, connection));
  const close = async (): Promise<void> => {
    await keys!.close();
    await other!.close();
    for (const connection of connections) await connection.close();
    await writer.close();
  };
  return {
    keys: keys!,
    other: other!,
    close,
    reopen: async () => {
      await close();
      return open(folder);
    },
  };
};

describeKeyStore('embedded', () => open());

it('opens nothing without the installation key, and its file has no bare key', async () => {
  const folder = temporaryFolder();
  const first = await open(folder);
  const made = await first.keys.forSession('acme', 'ada', 's1');
  await first.close();
  const file = readFileSync(join(folder, 'keys.db'));
  for (const key of [made.sealing, made.identity]) expect(file.includes(key.export())).toBe(false);

  const thief = await open(folder, Buffer.alloc(32, 8));
  await expect(thief.keys.byId(made.keyId)).rejects.toThrow();
  await expect(thief.keys.forSession('acme', 'ada', 's1')).rejects.toThrow();
  await thief.close();
});

it('overwrites a destroyed key in the file', async () => {
  const folder = temporaryFolder();
  const { keys, close } = await open(folder);
  const made = await keys.forSession('acme', 'ada', 'a session to be erased');
  await keys.destroy('acme', 'ada', 'a session to be erased');
  for (const suffix of ['', '-wal']) {
    const file = readFileSync(join(folder, `keys.db${suffix}`));
    expect(file.includes(made.keyId)).toBe(false);
    expect(file.includes('a session to be erased')).toBe(false);
  }
  await close();
});
