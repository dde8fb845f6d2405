import { createSecretKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  lineOf,
  makeWrappedKey,
  ownerOf,
  PARTITION,
  sessionOf,
  unwrapKey,
} from '../../core/log/keys/key-wrapping.ts';
import type { EventLog, SharedLog } from '../../core/ports.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import {
  keysIndex,
  migrateKeysIndex,
  openKeyIndex,
} from '../../infra/cluster/keys/index/elasticsearch-index.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { startWriter } from '../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../infra/embedded/log/writer-connection.ts';
import { describeInBothModes } from '../support/engines/both-modes.ts';
import { deleteInElasticsearch } from '../support/engines/drop-namespace.ts';
import { clusterConfig } from '../support/engines/engines.ts';
import { deleteTopics } from '../support/engines/kafka.ts';
import { installationOf } from '../support/files/installation-keys.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { pause } from '../support/wait.ts';
import {
  keysStoredIn,
  makeKeysWorld,
  readIntoIndex,
  UNAVAILABLE,
} from '../support/worlds/cluster-keys-world.ts';
import { describeKeyStore, type OpenKeys } from './key-store.contract.ts';

describeInBothModes('key store', {
  embedded: () => {
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

    /** The stores of two threads, of which the other is not told of what is destroyed. */
    const openTwo = async () => {
      const folder = temporaryFolder();
      const keysPath = join(folder, 'keys.db');
      const writer = await startWriter({ logPath: join(folder, 'log.db'), keysPath }, () => {});
      const [connection, deaf] = [connectWriter(writer.port()), connectWriter(writer.port())];
      const installation = installationOf(installationKey);
      const keys = openKeyStore(keysPath, installation, connection);
      const other = openKeyStore(keysPath, installation, { ...deaf, onDestroyed: () => () => {} });
      const close = async (): Promise<void> => {
        for (const store of [keys, other]) await store.close();
        for (const one of [connection, deaf]) await one.close();
        await writer.close();
      };
      return { keys, other, close };
    };

    it('drops what a user’s key had wrapped in the step that it is told to, before the writer’s message arrives', async () => {
      const { keys, other, close } = await openTwo();
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
      await close();
    });

    /**
     * Switched off by hand: session-keys.ts takes the partition's key that it remembers without asking
     * whether it lives → nothing opens what the key sealed.
     */
    it('gives a session a key that opens, where another thread destroyed the user’s keys unheard', async () => {
      const { keys, other, close } = await openTwo();
      await other.forSession('acme', 'ada', 's1');
      await keys.forSession('acme', 'ada', 's2');
      await keys.destroy('acme', 'ada');
      const { keyId } = await other.forSession('acme', 'ada', 's2');
      expect(await keys.byId(keyId)).toBeDefined();
      await close();
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

    /**
     * As other threads' calls do: the owner's keys are destroyed, and a session has one again, under another
     * partition's key.
     */
    const replaceKeys = (
      path: string,
      owner: string,
      session: string,
    ): { keyId: string; sealing: string } => {
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
      // Between two reads of one call: the partition's key is the one that it holds, and the session's is
      // another's already.
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
  },
  cluster: () => {
    const NEVER = new AbortController().signal;

    const config = clusterConfig();
    const { namespace, openStore, fresh, wipe, indexOf, setIndex } = makeKeysWorld(config);

    const open = async (name: string, log: EventLog): Promise<OpenKeys> => {
      const [keys, other] = [openStore(name, log), openStore(name, log)];
      const close = async (): Promise<void> => {
        await keys.close();
        await other.close();
      };
      return {
        keys,
        other,
        close,
        stored: () => keysStoredIn(log),
        reopen: async () => {
          await close();
          return open(name, log);
        },
      };
    };
    describeKeyStore('cluster', async () => {
      const { name, log } = fresh();
      return open(name, log);
    });
    describeKeyStore('cluster, indexed meanwhile', async () => {
      const { name, log } = fresh();
      let isReading = false;
      log.after = async () => {
        if (isReading) return;
        isReading = true;
        await pause(1);
        await readIntoIndex(log, indexOf(log));
        isReading = false;
      };
      return open(name, log);
    });
    describeKeyStore('cluster, with a slow log', async () => {
      const { name, log } = fresh();
      log.before = () => pause(Math.random() * 20);
      log.after = () => pause(Math.random() * 20);
      return open(name, log);
    });

    it('leaves no key of a line that ends while its session’s key is replaced', async () => {
      for (const [one, meanwhile] of [
        ['replace', 'destroy'],
        ['destroy', 'replace'],
      ] as const) {
        const { name, log } = fresh();
        const [keys, other] = [openStore(name, log), openStore(name, log)];
        const first = await keys.forSession('acme', 'ada', 's1');
        const none = async (): Promise<void> => {};
        log.before = async () => {
          log.before = none;
          await other[meanwhile]('acme', 'ada', 's1');
        };
        const ids = await keys[one]('acme', 'ada', 's1');
        expect(ids).toHaveLength(one === 'replace' ? 0 : 2);
        expect(await keys.idsOf('acme', 'ada', 's1')).toEqual([]);
        const next = await other.forSession('acme', 'ada', 's1');
        expect(lineOf(next.keyId)).not.toBe(lineOf(first.keyId));
        for (const store of [keys, other]) await store.close();
      }
    });

    describe('on Kafka and Elasticsearch', () => {
      let log: SharedLog;
      let elasticsearch: Elasticsearch;
      beforeAll(async () => {
        await migrateTopics(config);
        await migrateKeysIndex(config);
        log = await openKafkaLog(config);
        elasticsearch = connectElasticsearch(config);
        setIndex(log, openKeyIndex(elasticsearch, config));
      });
      afterAll(async () => {
        await log.close();
        await elasticsearch.close();
        await deleteTopics(config);
        await deleteInElasticsearch(config, keysIndex(config));
        await deleteInElasticsearch(config, `_index_template/${keysIndex(config)}`);
      });
      // The tests share the topic: each begins with what the ones before left of its scopes destroyed.
      describeKeyStore('cluster, Kafka', async () => {
        const { keys, ...opened } = await open(namespace(), log);
        for (const user of ['ada', 'grace']) await keys.destroy('acme', user);
        await keys.sweep(NEVER);
        return { keys, ...opened };
      });

      it('finds again what it had, without Redis and without an index', async () => {
        const name = namespace();
        const keys = openStore(name, log);
        const made = await Promise.all(
          Array.from({ length: 300 }, (_, n) => keys.forSession('globex', `user-${n % 9}`, `s${n}`)),
        );
        await keys.destroy('globex', 'user-3');
        await keys.sweep(NEVER);
        const isFound = async (): Promise<void> => {
          await wipe(name);
          const other = openStore(name, log);
          const found = await Promise.all(made.map(({ keyId }) => other.byId(keyId)));
          expect(found.map(key => key === undefined)).toEqual(made.map((_, n) => n % 9 === 3));
          for (const n of [0, 1, 2])
            expect((await other.forSession('globex', `user-${n}`, `s${n}`)).keyId).toBe(made[n]!.keyId);
        };
        await isFound();
        await deleteInElasticsearch(config, keysIndex(config));
        await expect(openStore(namespace(), log).forSession('globex', 'user-0', 's0')).rejects.toMatchObject(
          UNAVAILABLE,
        );
        await migrateKeysIndex(config);
        // Before it is read, and after that.
        await isFound();
        await readIntoIndex(log, indexOf(log));
        await isFound();
      });
    });
  },
});
