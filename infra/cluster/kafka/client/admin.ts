import kafkajs from 'kafkajs';
import { partitionName } from '../../../../core/log/positions.ts';
import { offsetOf } from '../records.ts';
import { connectKafka, type KafkaConnection } from './kafka-client.ts';

// Node can't find these names in the package's exports.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

export interface TopicSetting {
  name: string;
  value: string;
  /** Set for this topic, and not the brokers' default. */
  isOwn: boolean;
}

export interface NewTopic {
  name: string;
  partitions: number;
  replication: number;
  settings: Record<string, string>;
}

/** The requests to the brokers about topics and groups, by their names in Kafka. */
export interface KafkaAdmin {
  topics(): Promise<string[]>;
  /**
   * Returns the leaders of each topic's partitions; negative for a partition without one. A missing topic is
   * an error.
   */
  leaders(topics: string[]): Promise<Map<string, number[]>>;
  /** Returns each topic's settings. */
  settings(topics: string[]): Promise<Map<string, TopicSetting[]>>;
  /** Replaces all settings of the topic. */
  setSettings(topic: string, settings: Record<string, string>): Promise<void>;
  /** Resolves to false if the topic exists. */
  create(topic: NewTopic): Promise<boolean>;
  /** Returns each partition's first offset and the one after its last. */
  offsets(topic: string): Promise<{ partition: number; low: number; high: number }[]>;
  /** Returns the group's offsets by partition (positions.ts); negative if the group has none. */
  committed(group: string, topics: string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}

const entriesOf = (settings: Record<string, string>): { name: string; value: string }[] =>
  Object.entries(settings).map(([name, value]) => ({ name, value }));

export const openAdmin = async (connection: KafkaConnection, clientId?: string): Promise<KafkaAdmin> => {
  const admin = connectKafka(connection, clientId).admin();
  await admin.connect();
  const type = ConfigResourceTypes.TOPIC;
  return {
    topics: () => admin.listTopics(),
    leaders: async topics => {
      const found = await admin.fetchTopicMetadata({ topics });
      return new Map(found.topics.map(({ name, partitions }) => [name, partitions.map(one => one.leader)]));
    },
    settings: async topics => {
      const resources = topics.map(name => ({ type, name }));
      const found = await admin.describeConfigs({ includeSynonyms: false, resources });
      return new Map(
        found.resources.map(({ resourceName, configEntries }) => [
          resourceName,
          configEntries.map(({ configName, configValue, configSource }) => ({
            name: configName,
            value: configValue,
            isOwn: configSource === ConfigSource.TOPIC_CONFIG,
          })),
        ]),
      );
    },
    setSettings: async (name, settings) => {
      const resources = [{ type, name, configEntries: entriesOf(settings) }];
      await admin.alterConfigs({ validateOnly: false, resources });
    },
    create: ({ name, partitions, replication, settings }) =>
      admin.createTopics({
        // The client's own wait fails at a broker that does not know the topic yet.
        waitForLeaders: false,
        topics: [
          {
            topic: name,
            numPartitions: partitions,
            replicationFactor: replication,
            configEntries: entriesOf(settings),
          },
        ],
      }),
    offsets: async topic =>
      (await admin.fetchTopicOffsets(topic)).map(({ partition, low, high }) => ({
        partition,
        low: offsetOf(low),
        high: offsetOf(high),
      })),
    committed: async (groupId, topics) => {
      const found = await admin.fetchOffsets({ groupId, topics });
      return new Map(
        found.flatMap(({ topic, partitions }) =>
          partitions.map(
            ({ partition, offset }) => [partitionName({ topic, partition }), offsetOf(offset)] as const,
          ),
        ),
      );
    },
    close: () => admin.disconnect(),
  };
};
