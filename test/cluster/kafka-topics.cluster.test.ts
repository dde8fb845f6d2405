import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FORMAT } from '../../core/format.ts';
import { readPages } from '../../core/log/read.ts';
import type { NewRecord } from '../../core/ports.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { formatTopic, TOPICS, topicName } from '../../infra/cluster/kafka/records.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { migrateEngines } from '../../services/cluster/open.ts';
import { record } from '../contracts/event-log.contract.ts';
import { clusterConfig, describeOnEngines } from '../support/engines/engines.ts';
import {
  changeTopic,
  createTopics,
  deleteRecords,
  deleteTopics,
  topicSettings,
  topicsOf,
} from '../support/engines/kafka.ts';
import { until } from '../support/wait.ts';

describeOnEngines('topics', () => {
  describe('Kafka', () => {
    let config: ClusterConfig;
    beforeEach(() => {
      config = clusterConfig();
    });
    afterEach(() => deleteTopics(config));

    it('are made once, kept for ever, and compacted where later records replace earlier ones', async () => {
      const done = await Promise.all([migrateTopics(config), migrateTopics(config)]);
      expect(done.flat()).toHaveLength(TOPICS.length);
      expect(done.flat()).toContainEqual(expect.stringContaining(`${config.namespace}.turns: 4 partitions`));
      expect(await migrateTopics(config)).toEqual([]);
      expect(await topicSettings(config, 'turns')).toMatchObject({
        'cleanup.policy': 'delete',
        'retention.ms': '-1',
        'retention.bytes': '-1',
        'min.insync.replicas': '1',
        'max.message.bytes': '8388608',
      });
      expect(await topicSettings(config, 'keys')).toMatchObject({
        'cleanup.policy': 'compact',
        'max.compaction.lag.ms': '21600000',
        'min.compaction.lag.ms': '0',
        'segment.ms': '21600000',
        'min.cleanable.dirty.ratio': '0.1',
        'delete.retention.ms': '86400000',
      });
    });

    it('are brought up to date, without what others set on them being lost', async () => {
      await migrateTopics(config);
      await changeTopic(config, 'turns', { 'retention.ms': '1000', 'segment.ms': '3600000' });
      // A broker learns of it a moment later.
      await until(
        'the change is seen',
        async () => (await topicSettings(config, 'turns'))['retention.ms'] === '1000',
      );
      expect(await migrateTopics(config)).toContain(
        `set retention.ms of the topic ${config.namespace}.turns to -1`,
      );
      await vi.waitFor(async () =>
        expect(await topicSettings(config, 'turns')).toMatchObject({
          'retention.ms': '-1',
          'segment.ms': '3600000',
        }),
      );
    });

    it('of keys keeps what compacts it sooner, and is corrected where it would do so later', async () => {
      await migrateTopics(config);
      await changeTopic(config, 'keys', { 'cleanup.policy': 'compact', 'segment.ms': '60000' });
      await until(
        'the change is seen',
        async () => (await topicSettings(config, 'keys'))['segment.ms'] === '60000',
      );
      const name = `${config.namespace}.keys`;
      const log = await openKafkaLog(config);
      try {
        expect(await log.faults()).toContainEqual(
          expect.stringMatching(
            new RegExp(
              `^max.compaction.lag.ms of the topic ${name} is \\d+, and destroyed keys stay on the disks`,
            ),
          ),
        );
        expect(await migrateTopics(config)).toContain(
          `set max.compaction.lag.ms of the topic ${name} to 21600000`,
        );
        await vi.waitFor(async () => expect(await log.faults()).toEqual([]));
        expect((await topicSettings(config, 'keys'))['segment.ms']).toBe('60000');
      } finally {
        await log.close();
      }
    });

    it('never elect a leader that lacks records', async () => {
      await migrateTopics(config);
      expect(await topicSettings(config, 'turns')).toMatchObject({
        'unclean.leader.election.enable': 'false',
      });
      await changeTopic(config, 'turns', { 'unclean.leader.election.enable': 'true', 'retention.ms': '-1' });
      await until(
        'the change is seen',
        async () => (await topicSettings(config, 'turns'))['unclean.leader.election.enable'] === 'true',
      );
      expect(await migrateTopics(config)).toContain(
        `set unclean.leader.election.enable of the topic ${config.namespace}.turns to false`,
      );
      expect(await migrateTopics(config)).toEqual([]);
    });

    it('tell of records that were deleted, but for dead letters, which are read from where they begin', async () => {
      await migrateTopics(config);
      const log = await openKafkaLog(config);
      try {
        for (const topic of ['turns', 'dead-letters'] as const) {
          await log.append([record('acme', 'one', { topic }), record('acme', 'two', { topic })]);
          await deleteRecords(config, topic);
          await log.append([record('acme', 'three', { topic })]);
        }
        const { partition } = (await log.append([record('acme', 'four')]))[0]!;
        await expect(log.read('turns', partition, 0, 9)).rejects.toThrow(
          `turns/${partition} begins at 2, and 0 was asked for`,
        );
        expect(await log.read('turns', partition, 2, 9)).toHaveLength(2);
        expect(await log.read('turns', partition, 99, 9)).toEqual([]);
        expect(await log.read('dead-letters', partition, 0, 9)).toHaveLength(1);
        expect(await log.faults()).toEqual([
          expect.stringMatching(`^the topic ${config.namespace}.turns/${partition} begins at 2:`),
        ]);
      } finally {
        await log.close();
      }
    });

    it('are refused with another number of partitions, or when they are missing', async () => {
      await expect(openKafkaLog(config)).rejects.toThrow('run `turnstone migrate`');
      await migrateTopics(config);
      const more = { ...config, partitions: 5 };
      const words = `the topic ${config.namespace}.turns has 4 partitions and 5 are configured`;
      await expect(migrateTopics(more)).rejects.toThrow(words);
      await expect(openKafkaLog(more)).rejects.toThrow(words);
    });

    it.each([
      ['no format number', undefined],
      [`format ${FORMAT - 1}`, FORMAT - 1],
    ])('of %s are refused in one sentence, and none is made beside them', async (named, format) => {
      const there = [
        topicName(config, 'turns'),
        ...(format === undefined ? [] : [formatTopic(config, format)]),
      ];
      await createTopics(config, there);
      const refusal = `The data in the topics ${config.namespace}.* was written by a development version before 0.1.0 (${named}; this version reads format ${FORMAT}). Start with another TURNSTONE_NAMESPACE.`;
      const made: string[] = [];
      await expect(migrateEngines(config, line => made.push(line))).rejects.toThrow(refusal);
      await expect(openKafkaLog(config)).rejects.toThrow(refusal);
      expect(made).toEqual([]);
      expect(await topicsOf(config)).toEqual(there.sort());
    });

    it('of keys holds names, and a record without a value removes its name', async () => {
      await migrateTopics(config);
      const log = await openKafkaLog(config);
      try {
        const key = (value: string, name?: string): NewRecord =>
          record('acme', value, { topic: 'keys', ...(name === undefined ? {} : { name }) });
        const addresses = await log.append([key('wrapped', 'one'), key('', 'one'), record('acme', '')]);
        const read = await log.read('keys', addresses[0]!.partition, 0, 9);
        expect(read.map(({ name, value }) => [name, Buffer.from(value).toString()])).toEqual([
          ['one', 'wrapped'],
          ['one', ''],
        ]);
        const [turn] = await log.read('turns', addresses[2]!.partition, 0, 9);
        expect(turn!.name).toBeUndefined();
        const ends = await log.ends();
        await expect(log.append([record('acme', 'turn'), key('no name')])).rejects.toThrow('needs a name');
        await expect(log.append([record('acme', 'turn', { name: 'one' })])).rejects.toThrow('has no name');
        expect(await log.ends()).toEqual(ends);
      } finally {
        await log.close();
      }
    });

    it('hold a record of several megabytes, and many of them in one append', async () => {
      await migrateTopics(config);
      const log = await openKafkaLog(config);
      try {
        const large = 'x'.repeat(5_600_000);
        const addresses = await log.append([record('k', large), record('k', 'between'), record('k', large)]);
        expect(addresses.map(({ offset }) => offset)).toEqual([0, 1, 2]);
        const lengths: number[] = [];
        for await (const { records } of readPages(log, { topics: ['turns'], to: await log.ends() }))
          lengths.push(...records.map(({ value }) => value.length));
        expect(lengths).toEqual([5_600_000, 7, 5_600_000]);
      } finally {
        await log.close();
      }
    });
  });
});
