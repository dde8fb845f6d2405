import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { connectWriter, type WriterConnection } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import type { KeyStore } from '../../services/core/ports.ts';
import { installationOf } from '../support/installation-keys.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeRotation } from './key-rotation.contract.ts';

const wrappedIn = (path: string): Uint8Array[] => {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(`SELECT wrapped FROM keys WHERE session = ''`).all();
  database.close();
  return rows.map(row => row.wrapped as Uint8Array);
};

/** How many of these are in the keys' file or its WAL. */
const inFiles = (folder: string, wrapped: readonly Uint8Array[]): number => {
  const files = readdirSync(folder).filter(name => name.startsWith('keys.db'));
  const bytes = Buffer.concat(files.map(name => readFileSync(join(folder, name))));
  return wrapped.filter(each => bytes.includes(Buffer.from(each))).length;
};

it('leaves nothing that the old key opens in the file or its WAL', async () => {
  const folder = temporaryFolder();
  const keysPath = join(folder, 'keys.db');
  const writer = await startWriter({ logPath: join(folder, 'log.db'), keysPath }, () => {});
  const connection = connectWriter(writer.port());
  const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const before = openKeyStore(keysPath, installationOf(old), connection);
  for (const user of ['ada', 'eve']) await before.forSession('acme', user, 's1');
  const former = wrappedIn(keysPath);
  expect(inFiles(folder, former)).toBe(2);
  const keys = openKeyStore(keysPath, installationOf(fresh, old), connection);
  for await (const _ of keys.rewrap({ dryRun: false }, new AbortController().signal));
  expect(inFiles(folder, former)).toBe(0);
  await keys.close();
  await before.close();
  await connection.close();
  await writer.close();
});

describeRotation('embedded', async () => {
  const folder = temporaryFolder();
  const keysPath = join(folder, 'keys.db');
  const writer = await startWriter({ logPath: join(folder, 'log.db'), keysPath }, () => {});
  const connections: WriterConnection[] = [];
  const stores: KeyStore[] = [];
  let former: Uint8Array[] | undefined;
  return {
    open: async installation => {
      if (stores.length === 1) former = wrappedIn(keysPath);
      const connection = connectWriter(writer.port());
      connections.push(connection);
      const keys = openKeyStore(keysPath, installation, connection);
      stores.push(keys);
      return keys;
    },
    forget: async () => {
      expect(inFiles(folder, former!)).toBe(0);
    },
    close: async () => {
      for (const keys of stores) await keys.close();
      for (const connection of connections) await connection.close();
      await writer.close();
    },
  };
});
