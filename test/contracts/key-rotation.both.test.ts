import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { ownerOf, PARTITION } from '../../core/log/keys/key-wrapping.ts';
import type { KeyStore, NewRecord } from '../../core/ports.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { connectWriter, type WriterConnection } from '../../infra/embedded/log/writer-connection.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { memoryKeyIndex } from '../support/engines/memory-key-index.ts';
import { installationOf } from '../support/files/installation-keys.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { makeKeysWorld, readIntoIndex, shown } from '../support/worlds/cluster-keys-world.ts';
import { describeRotation } from './key-rotation.contract.ts';

describeInBothModes('key rotation', {
  embedded: () => {
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
  },
  cluster: () => {
    const [OLD, FRESH] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

    const NEVER = new AbortController().signal;

    const { openStore, fresh, wipe, indexOf, setIndex } = makeKeysWorld(clusterConfig());

    describeRotation('cluster', async () => {
      const { name, log } = fresh();
      return {
        open: async installation => openStore(name, log, undefined, installation),
        forget: async () => {
          log.compact('keys');
          await wipe(name);
          setIndex(log, memoryKeyIndex());
        },
        close: async () => {},
      };
    });

    const rewrap = async (keys: ReturnType<typeof openStore>, dryRun = false): Promise<number> => {
      let count = 0;
      const signal = new AbortController().signal;
      for await (const { rewrapped } of keys.rewrap({ dryRun }, signal)) count = rewrapped;
      return count;
    };
    const dead = async (): Promise<void> => {
      throw new Error('the process is dead');
    };

    it('wraps anew in Redis what an interrupted call has only appended', async () => {
      const { name, log } = fresh();
      const open = (...keys: Buffer[]) => openStore(name, log, undefined, installationOf(...keys));
      const made = await open(OLD).forSession('acme', 'ada', 's1');
      log.after = dead;
      await expect(rewrap(open(FRESH, OLD))).rejects.toThrow('dead');
      log.after = () => {};
      expect(await rewrap(open(FRESH, OLD), true)).toBe(1);
      expect(await rewrap(open(FRESH, OLD))).toBe(1);
      expect(await rewrap(open(FRESH, OLD), true)).toBe(0);
      expect(shown(await open(FRESH).forSession('acme', 'ada', 's1'))).toEqual(shown(made));
    });

    it('destroys for good what was destroyed while it was wrapped anew', async () => {
      const { name, log } = fresh();
      const before = openStore(name, log, undefined, installationOf(OLD));
      const made = await before.forSession('acme', 'ada', 's1');
      const keys = openStore(name, log, undefined, installationOf(FRESH, OLD));
      log.before = async () => {
        log.before = () => {};
        // Its tombstones come before the record that is under way.
        await before.destroy('acme', 'ada');
      };
      await rewrap(keys);
      await keys.sweep(NEVER);
      log.compact('keys');
      expect(log.records('keys').filter(({ value }) => value.length > 0)).toEqual([]);
      expect(await keys.byId(made.keyId)).toBeUndefined();
    });

    it('destroys what an interrupted call appended after its tombstone', async () => {
      const { name, log } = fresh();
      const before = openStore(name, log, undefined, installationOf(OLD));
      await before.forSession('acme', 'ada', 's1');
      let sent: readonly NewRecord[] = [];
      log.before = async records => {
        sent = records;
        throw new Error('the process is dead');
      };
      await expect(rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)))).rejects.toThrow(
        'dead',
      );
      log.before = () => {};
      await before.destroy('acme', 'ada');
      await before.sweep(NEVER);
      await log.append(sent);
      await readIntoIndex(log, indexOf(log));
      await rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)));
      log.compact('keys');
      expect(log.records('keys').filter(({ value }) => value.length > 0)).toEqual([]);
    });

    it('keeps the order of the keys of a user: ids are derived from the first', async () => {
      const { name, log } = fresh();
      const before = openStore(name, log, undefined, installationOf(OLD));
      const made = await before.forSession('acme', 'ada', 's1');
      // A second process lost the race for the user's key, and died before its tombstone.
      const other = fresh();
      await openStore(other.name, other.log, undefined, installationOf(OLD)).forSession('acme', 'ada', 's2');
      const [loser] = other.log.records('keys');
      await log.append([
        { topic: 'keys', key: ownerOf('acme', 'ada'), name: loser!.name!, value: loser!.value },
      ]);
      await wipe(name);
      await rewrap(openStore(name, log, undefined, installationOf(FRESH, OLD)));
      log.compact('keys');
      await wipe(name);
      setIndex(log, memoryKeyIndex());
      const after = openStore(name, log, undefined, installationOf(FRESH));
      expect(shown(await after.forSession('acme', 'ada', 's1'))).toEqual(shown(made));
      expect(PARTITION).toBe('');
    });
  },
});
