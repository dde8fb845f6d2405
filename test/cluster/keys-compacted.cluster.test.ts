/** A broker's own files, searched for what was destroyed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SharedLog } from '../../core/ports.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { closeSegments } from '../../services/cluster/upkeep/close-segments.ts';
import { makeCertificates } from '../support/engines/certificates.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import { changeTopic } from '../support/engines/kafka.ts';
import { kafkaLibs, type OwnKafka, startOwnKafka } from '../support/engines/own-kafka.ts';
import { until } from '../support/wait.ts';
import { makeKeysWorld, wrappedKeys } from '../support/worlds/cluster-keys-world.ts';

if (process.env.CI && !kafkaLibs) throw new Error('no jars of Kafka: set TURNSTONE_TEST_KAFKA_LIBS');

/** Those of migrate, in milliseconds instead of hours. */
const SOON = {
  'cleanup.policy': 'compact',
  'retention.ms': '-1',
  'max.compaction.lag.ms': '300',
  'segment.ms': '300',
  'min.cleanable.dirty.ratio': '0.1',
  'delete.retention.ms': '300',
  'file.delete.delay.ms': '0',
};

/** As a record has it: JSON in JSON. */
const NAME = String.raw`\"ada\"`;

/** The file's content, or undefined if the cleaner has removed it since it was listed. */
const contentOf = (path: string): Buffer | undefined => {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

describeOnEngines('keys on the brokers’ disks', () => {
  const { namespace, openStore } = makeKeysWorld(clusterConfig());
  let kafka: OwnKafka;
  let config: ClusterConfig;
  let log: SharedLog;
  beforeAll(async () => {
    kafka = await startOwnKafka(makeCertificates(), {
      'log.cleaner.backoff.ms': 100,
      'log.cleaner.dedupe.buffer.size': 4 * 1024 * 1024,
    });
    config = clusterConfig({ kafkaBrokers: [kafka.plain] });
    await migrateTopics(config);
    await changeTopic(config, 'keys', SOON);
    log = await openKafkaLog(config);
  });
  afterAll(async () => {
    await log?.close();
    await kafka?.close();
  });

  const segments = (): string[] =>
    readdirSync(kafka.folder, { recursive: true, withFileTypes: true })
      .filter(file => file.isFile() && file.parentPath.includes(`${config.namespace}.keys-`))
      .map(file => join(file.parentPath, file.name))
      .toSorted();
  /**
   * How many of these texts are in a segment of the topic. While the cleaner puts a segment in another's
   * place, a listing may have neither of them: only files that were there before and after they were read
   * count.
   */
  const inSegments = (texts: readonly string[]): number => {
    for (;;) {
      const listed = segments();
      const files = listed.map(contentOf);
      if (files.includes(undefined) || segments().join() !== listed.join()) continue;
      return texts.filter(text => files.some(file => file!.includes(text))).length;
    }
  };

  it.skipIf(!kafkaLibs)(
    'are gone from every segment after they were destroyed; the others stay',
    async () => {
      const name = namespace();
      const keys = openStore(name, log);
      await keys.forSession('acme', 'ada', 's1');
      await keys.forSession('acme', 'ada', 's2');
      const kept = await keys.forSession('acme', 'eve', 's1');
      const wrapped = await wrappedKeys(log);
      const [ada, eve] = [wrapped.get('ada')!, wrapped.get('eve')!];
      expect([inSegments(ada), inSegments(eve), inSegments([NAME])]).toEqual([3, 2, 1]);

      await keys.destroy('acme', 'ada');
      expect(inSegments(ada)).toBe(3);
      await keys.sweep(new AbortController().signal);
      await until(
        'no segment has a destroyed key',
        async () => {
          await closeSegments(log, config.partitions);
          return inSegments(ada) === 0;
        },
        30_000,
      );
      expect(inSegments(eve)).toBe(2);
      expect(inSegments([NAME])).toBe(0);
      expect(await log.faults()).toEqual([]);
      // The rest is enough to make the copy anew.
      const again = openStore(namespace(), log);
      expect((await again.byId(kept.keyId))?.export()).toEqual(kept.sealing.export());
      await expect(again.forSession('acme', 'ada', 's1')).resolves.toBeDefined();
    },
    120_000,
  );
});
