/** Operations on Kafka itself that the suites of the shared log need. */

import type { Topic } from '../../../core/ports.ts';
import { type KafkaAdmin, openAdmin } from '../../../infra/cluster/kafka/client/admin.ts';
import { connectKafka } from '../../../infra/cluster/kafka/client/kafka-client.ts';
import { topicName } from '../../../infra/cluster/kafka/records.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';

type ClientAdmin = ReturnType<ReturnType<typeof connectKafka>['admin']>;

/** For what the service never asks of the brokers. */
const withAdmin = async <T>(config: ClusterConfig, work: (admin: ClientAdmin) => Promise<T>): Promise<T> => {
  const admin = connectKafka(config).admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

/** Removes the topics and groups of a suite's namespace. */
export const deleteTopics = (config: ClusterConfig): Promise<void> =>
  withAdmin(config, async admin => {
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter(id => id.startsWith(`${config.namespace}.`));
    if (own.length > 0) await admin.deleteGroups(own);
    const topics = await ownTopics(admin, config);
    // The client's second try finds that the first one did it.
    await admin.deleteTopics({ topics }).catch(error => {
      if (!String(error.message).includes('does not host')) throw error;
    });
  });

/** The names of the namespace's topics. */
export const topicsOf = (config: ClusterConfig): Promise<string[]> =>
  withAdmin(config, admin => ownTopics(admin, config));

const ownTopics = async (admin: ClientAdmin, config: ClusterConfig): Promise<string[]> =>
  (await admin.listTopics()).filter(name => name.startsWith(`${config.namespace}.`)).sort();

/** By their full names, with the brokers' own settings. */
export const createTopics = (config: ClusterConfig, topics: readonly string[]): Promise<void> =>
  withAdmin(config, async admin => {
    await admin.createTopics({ topics: topics.map(topic => ({ topic, numPartitions: config.partitions })) });
  });

const withOwnAdmin = async <T>(
  config: ClusterConfig,
  work: (admin: KafkaAdmin) => Promise<T>,
): Promise<T> => {
  const admin = await openAdmin(config);
  return work(admin).finally(admin.close);
};

export const topicSettings = (config: ClusterConfig, topic: Topic): Promise<Record<string, string>> =>
  withOwnAdmin(config, async admin => {
    const name = topicName(config, topic);
    const settings = (await admin.settings([name])).get(name)!;
    return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
  });

/** As an operator would: these settings, and none beside them. */
export const changeTopic = (
  config: ClusterConfig,
  topic: Topic,
  settings: Record<string, string>,
): Promise<void> => withOwnAdmin(config, admin => admin.setSettings(topicName(config, topic), settings));

/** As `kafka-topics.sh --alter --partitions`. */
export const addPartitions = (config: ClusterConfig, topic: Topic, count: number): Promise<void> =>
  withAdmin(config, async admin => {
    await admin.createPartitions({ topicPartitions: [{ topic: topicName(config, topic), count }] });
  });

/**
 * As `kafka-delete-records.sh`, or a retention, would: all records that a topic holds. Resolves with their
 * number.
 */
export const deleteRecords = (config: ClusterConfig, topic: Topic): Promise<number> =>
  withAdmin(config, async admin => {
    const name = topicName(config, topic);
    const ends = await admin.fetchTopicOffsets(name);
    const partitions = ends
      .filter(({ high }) => Number(high) > 0)
      .map(({ partition, high }) => ({ partition, offset: high }));
    await admin.deleteTopicRecords({ topic: name, partitions });
    return partitions.reduce((sum, { offset }) => sum + Number(offset), 0);
  });
