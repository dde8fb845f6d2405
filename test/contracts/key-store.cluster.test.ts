import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectElasticsearch, type Elasticsearch } from '../../infra/cluster/elasticsearch/client.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics.ts';
import { keysIndex, migrateKeysIndex, openKeyIndex } from '../../infra/cluster/keys/elasticsearch-index.ts';
import { lineOf } from '../../services/core/log/key-wrapping.ts';
import type { EventLog, SharedLog } from '../../services/core/ports.ts';
import { keysStoredIn, makeKeysWorld, readIntoIndex, UNAVAILABLE } from '../support/cluster-keys-world.ts';
import { deleteInElasticsearch } from '../support/drop-namespace.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { deleteTopics } from '../support/kafka.ts';
import { pause } from '../support/wait.ts';
import { describeKeyStore, type OpenKeys } from './key-store.contract.ts';

const NEVER = new AbortController().signal;

describeOnEngines('sealing keys in the log, in their index and in Redis', () => {
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
});
