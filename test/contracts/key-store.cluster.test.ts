import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics.ts';
import type { EventLog, SharedLog } from '../../services/core/ports.ts';
import { keysStoredIn, makeKeysWorld } from '../support/cluster-keys-world.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { deleteTopics } from '../support/kafka.ts';
import { pause } from '../support/wait.ts';
import { describeKeyStore, type OpenKeys } from './key-store.contract.ts';

const NEVER = new AbortController().signal;

describeOnEngines('sealing keys in the log, copied to Redis', () => {
  const config = clusterConfig();
  const { namespace, openStore, fresh, contents, wipe } = makeKeysWorld(config);

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
    const { name, log } = await fresh();
    return open(name, log);
  });
  describeKeyStore('cluster, with a slow log', async () => {
    const { name, log } = await fresh();
    log.before = () => pause(Math.random() * 20);
    log.after = () => pause(Math.random() * 20);
    return open(name, log);
  });

  describe('on Kafka', () => {
    let log: SharedLog;
    beforeAll(async () => {
      await migrateTopics(config);
      log = await openKafkaLog(config);
    });
    afterAll(async () => {
      await log.close();
      await deleteTopics(config);
    });
    // The tests share the topic: each begins with what the ones before left of its scopes destroyed.
    describeKeyStore('cluster, Kafka', async () => {
      const name = namespace();
      await openStore(name, log).restore();
      const { keys, ...opened } = await open(name, log);
      for (const user of ['ada', 'grace']) await keys.destroy('acme', user);
      await keys.sweep(NEVER);
      return { keys, ...opened };
    });

    it('restores from Kafka what was there', async () => {
      const name = namespace();
      const keys = openStore(name, log);
      await keys.restore();
      const made = await Promise.all(
        Array.from({ length: 300 }, (_, n) => keys.forSession('globex', `user-${n % 9}`, `s${n}`)),
      );
      await keys.destroy('globex', 'user-3');
      await keys.sweep(NEVER);
      const before = await contents(name);
      await wipe(name);
      await openStore(name, log).restore();
      expect(await contents(name)).toEqual(before);
      const found = await Promise.all(made.map(({ keyId }) => openStore(name, log).byId(keyId)));
      expect(found.map(key => key === undefined)).toEqual(made.map((_, n) => n % 9 === 3));
    });
  });
});
