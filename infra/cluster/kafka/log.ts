import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { notStored } from '../../../core/log/not-stored.ts';
import { partitionName } from '../../../core/log/positions.ts';
import type { Consumer, NewRecord, RecordAddress, SharedLog } from '../../../core/ports.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { type KafkaAdmin, openAdmin } from './client/admin.ts';
import { newProducer } from './client/kafka-client.ts';
import { type ConsumerOptions, consumeLog } from './consumer.ts';
import { type Renewable, renewable } from './persist.ts';
import { type BatchingOptions, makeBatchingProducer } from './producer.ts';
import { makeLogReader } from './reader.ts';
import {
  groupName,
  type Outgoing,
  outgoing,
  partitionOf,
  positionsOf,
  TOPICS,
  topicName,
} from './records.ts';
import { logFaults } from './topics/integrity.ts';
import { topicFaults, WrongTopics } from './topics/topics.ts';

export type KafkaLogOptions = Partial<ConsumerOptions> & BatchingOptions;

/**
 * Opens the shared log, on topics that `migrateTopics` created. Throws `WrongTopics` if they are missing or
 * records would be placed in the wrong partitions, and `unavailable` if no broker answers for ten seconds.
 */
export const openKafkaLog = async (
  config: ClusterConfig,
  options: KafkaLogOptions = {},
): Promise<SharedLog> => {
  const clientId = options.clientId ?? `turnstone-${randomBytes(4).toString('hex')}`;
  const admins = renewable(
    () => openAdmin(config, clientId),
    admin => admin.close(),
  );
  await checkTopics(admins, config).catch(async error => {
    await admins.close();
    throw error;
  });

  const producer = makeBatchingProducer(newProducer(config, clientId), options);
  const reader = makeLogReader(config, clientId);
  const consumers = new Set<{ close(): Promise<void> }>();

  const append = async (records: readonly NewRecord[], until?: number): Promise<RecordAddress[]> => {
    const sent = records.map(record => sendable(config, record));
    const offsets = await producer.append(sent, until);
    return records.map(
      ({ topic }, i): RecordAddress => ({ topic, partition: sent[i]!.partition, offset: offsets[i]! }),
    );
  };

  return {
    append: records => append(records),
    appendUntil: append,
    read: async (topic, partition, offset, limit) => {
      if (!TOPICS.includes(topic)) throw new Error('the log has no such topic');
      return reader.read(topic, partition, offset, limit);
    },
    ends: reader.ends,
    partitionOf: key => partitionOf(key, config.partitions),
    faults: () => admins.use(admin => logFaults(admin, config)),
    committed: group =>
      admins.use(async admin => {
        const names = TOPICS.map(topic => topicName(config, topic));
        const offsets = await admin.committed(groupName(config, group), names);
        // -1: the group never committed in this partition.
        return positionsOf(config, TOPICS, (topic, partition) =>
          Math.max(0, offsets.get(partitionName({ topic: topicName(config, topic), partition })) ?? 0),
        );
      }),
    consume: async request => {
      const consumer = await consumeLog(config, request, { ...options, clientId });
      const member: Consumer = {
        rewind: consumer.rewind,
        close: async () => {
          consumers.delete(member);
          await consumer.close();
        },
      };
      consumers.add(member);
      return member;
    },
    close: async () => {
      await Promise.all([...consumers].map(consumer => consumer.close()));
      await producer.close();
      await Promise.all([reader.close(), admins.close()]);
    },
  };
};

const sendable = (config: ClusterConfig, record: NewRecord): Outgoing => {
  try {
    return outgoing(config, record);
  } catch (error) {
    throw notStored(error as Error);
  }
};

/**
 * Checks the topics, for two seconds if some are missing: a broker may learn of a topic a moment after its
 * creation.
 */
const checkTopics = async (admins: Renewable<KafkaAdmin>, config: ClusterConfig): Promise<void> => {
  for (let tries = 10; ; tries--) {
    const faults = await admins.use(admin => topicFaults(admin, config));
    if (faults.length === 0) return;
    if (tries === 0) throw new WrongTopics(faults);
    await sleep(200);
  }
};
