import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, it, vi } from 'vitest';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { connectWriter } from '../../infra/embedded/log/event-log.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import {
  makeWrappedKey,
  ownerOf,
  PARTITION,
  sessionOf,
  unwrapKey,
} from '../../services/core/log/key-wrapping.ts';
import { installationOf } from '../support/installation-keys.ts';
import { temporaryFolder } from '../support/server.ts';
import { describeKeyStore, type OpenKeys } from './key-store.contract.ts';

const installationKey = Buffer.alloc(32, 7);
const NEVER = new AbortController().signal;

const storedIn = (path: string, table: 'keys' | 'former' = 'keys') => {
  const database = new DatabaseSync(path, { readOnly: true });
  const rows = database.prepare(`SELECT key_id, owner, session, wrapped FROM ${table}`).all();
  database.close();
  return rows;
};

const open = async (
  folder = temporaryFolder(),
  wrapping = installationOf(installationKey),
): Promise<OpenKeys> => {
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
    stored: async () => storedIn(keysPath).length + storedIn(keysPath, 'former').length,
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

  const thief = await open(folder, installationOf(Buffer.alloc(32, 8)));
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

it('drops what a user’s key had wrapped in the step that it is told to, before the writer’s message arrives', async () => {
  const folder = temporaryFolder();
  const keysPath = join(folder, 'keys.db');
  const writer = await startWriter({ logPath: join(folder, 'log.db'), keysPath }, () => {});
  const [connection, deaf] = [connectWriter(writer.port()), connectWriter(writer.port())];
  const installation = installationOf(installationKey);
  const keys = openKeyStore(keysPath, installation, connection);
  const other = openKeyStore(keysPath, installation, { ...deaf, onDestroyed: () => () => {} });
  const gone = await keys.forSession('acme', 'ada', 's1');
  const left = await keys.forSession('acme', 'ada', 's2');
  const named = await keys.idsOf('acme', 'ada');
  for (const { keyId } of [gone, left]) expect(await other.byId(keyId)).toBeDefined();
  await keys.destroy('acme', 'ada', 's1');
  await other.destroyKeys([gone.keyId]);
  expect(await other.byId(gone.keyId)).toBeUndefined();
  expect(await other.byId(left.keyId)).toBeDefined();
  await keys.destroyKeys(named);
  await other.destroyKeys(named);
  expect(await other.byId(left.keyId)).toBeUndefined();
  for (const store of [keys, other]) await store.close();
  for (const one of [connection, deaf]) await one.close();
  await writer.close();
});

it('overwrites the names of a user’s sessions in the file when they are swept', async () => {
  const folder = temporaryFolder();
  const { keys, close } = await open(folder);
  const names = Array.from({ length: 40 }, (_, n) => `a session of the erased ${n}`);
  for (const name of names) await keys.forSession('acme', 'ada', name);
  await keys.destroy('acme', 'ada');
  await keys.sweep(NEVER);
  for (const suffix of ['', '-wal']) {
    const file = readFileSync(join(folder, `keys.db${suffix}`));
    expect(names.filter(name => file.includes(name))).toEqual([]);
  }
  await close();
});

/** As other threads' calls do: the owner's keys are destroyed, and a session has one again, under another partition's key. */
const replaceKeys = (path: string, owner: string, session: string): { keyId: string; sealing: string } => {
  const installation = createSecretKey(installationKey);
  const partition = makeWrappedKey(installation, owner, PARTITION);
  const wrapping = unwrapKey(installation, partition);
  const made = makeWrappedKey(wrapping, owner, session);
  const database = new DatabaseSync(path);
  database.exec('BEGIN IMMEDIATE');
  database.prepare('DELETE FROM keys WHERE owner = ?').run(owner);
  const insert = database.prepare('INSERT INTO keys VALUES (?, ?, ?, ?, ?)');
  for (const [key, under] of [[partition, null] as const, [made, partition.keyId] as const])
    insert.run(key.keyId, key.owner, key.session, key.wrapped, under);
  database.exec('COMMIT');
  database.close();
  return { keyId: made.keyId, sealing: unwrapKey(wrapping, made).export().toString('hex') };
};

/** Switched off by hand: session-keys.ts finds a session's key whatever wraps it → it doesn't unwrap. */
it('keeps a key that was made under the next key of its partition while it was looked for', async () => {
  const folder = temporaryFolder();
  const { keys, other, close } = await open(folder);
  await keys.forSession('acme', 'ada', 's1');
  const owner = ownerOf('acme', 'ada');
  const session = sessionOf('s2');
  let made: ReturnType<typeof replaceKeys> | undefined;
  const get = StatementSync.prototype.get;
  // Between two reads of one call: the partition's key is the one that it holds, and the session's is another's already.
  const reading = vi.spyOn(StatementSync.prototype, 'get').mockImplementation(function (
    this: StatementSync,
    ...values
  ) {
    if (values[1] === session) made ??= replaceKeys(join(folder, 'keys.db'), owner, session);
    return get.apply(this, values as never);
  });
  const found = await keys.forSession('acme', 'ada', 's2').finally(() => reading.mockRestore());
  expect(found.keyId).toBe(made!.keyId);
  expect(found.sealing.export().toString('hex')).toBe(made!.sealing);
  expect((await other.byId(made!.keyId))!.export().toString('hex')).toBe(made!.sealing);
  await close();
});
