import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { unavailable } from '../../../services/core/errors.ts';
import type { Topic } from '../../../services/core/ports.ts';
import { asOutage, connectKafka } from './client.ts';
import { isCompacted, MAX_BATCH_BYTES, TOPICS, topicName } from './records.ts';

// Node finds no such names in the package itself.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

type TopicsConfig = Pick<ClusterConfig, 'namespace' | 'kafkaBrokers' | 'partitions' | 'replication'>;

/** The log is the truth and kept for ever; a write waits for all copies but one. */
const settingsOf = (topic: Topic, { replication }: TopicsConfig): Record<string, string> => ({
  'cleanup.policy': isCompacted(topic) ? 'compact' : 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
  'min.insync.replicas': String(Math.max(1, replication - 1)),
  'max.message.bytes': String(MAX_BATCH_BYTES),
});

/**
 * Makes the topics that are missing and brings the settings of the others up to date; as often as one likes, and
 * several at once. Returns a line for people about each thing that it did. Throws where a topic has another number of
 * partitions than configured: adding some would send the records of a key to two places.
 */
export const migrateTopics = async (config: TopicsConfig): Promise<string[]> => {
  const admin = connectKafka(config, 'turnstone-migrate').admin();
  try {
    await admin.connect();
    const present = await partitionCounts(admin, config);
    const wrong = TOPICS.flatMap(topic => faultOf(config, topic, present.get(topic) ?? config.partitions));
    if (wrong.length > 0) throw new WrongTopics(wrong);
    const done: string[] = [];
    for (const topic of TOPICS) {
      done.push(
        ...(present.has(topic) ? await update(admin, config, topic) : await create(admin, config, topic)),
      );
    }
    await untilLed(admin, config);
    return done;
  } catch (error) {
    throw error instanceof WrongTopics ? error : asOutage(error);
  } finally {
    await admin.disconnect().catch(() => {});
  }
};

/** What keeps the service from starting on these topics; empty when nothing does. */
export const topicFaults = async (admin: Admin, config: TopicsConfig): Promise<string[]> => {
  const present = await partitionCounts(admin, config);
  return TOPICS.flatMap(topic => faultOf(config, topic, present.get(topic)));
};

/** For people: what is wrong with the topics as they are. */
export class WrongTopics extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'WrongTopics';
  }
}

const faultOf = (config: TopicsConfig, topic: Topic, partitions: number | undefined): string[] => {
  const name = topicName(config, topic);
  if (partitions === undefined) return [`the topic ${name} is missing: run \`turnstone migrate\``];
  if (partitions === config.partitions) return [];
  return [
    `the topic ${name} has ${partitions} partitions and ${config.partitions} are configured: ` +
      'the number is fixed when a topic is made, so configure the one that it has',
  ];
};

const partitionCounts = async (admin: Admin, config: TopicsConfig): Promise<Map<Topic, number>> => {
  // Asked for by name, a missing topic is an error.
  const names = new Set(await admin.listTopics());
  const topics = TOPICS.filter(topic => names.has(topicName(config, topic)));
  if (topics.length === 0) return new Map();
  const found = await admin.fetchTopicMetadata({ topics: topics.map(topic => topicName(config, topic)) });
  return new Map(
    topics.flatMap(topic => {
      const metadata = found.topics.find(({ name }) => name === topicName(config, topic));
      return metadata ? [[topic, metadata.partitions.length] as const] : [];
    }),
  );
};

/** A topic is made before every broker has heard of it. */
const untilLed = async (admin: Admin, config: TopicsConfig): Promise<void> => {
  for (const end = performance.now() + 30_000; ; await sleep(50)) {
    try {
      const { topics } = await admin.fetchTopicMetadata({
        topics: TOPICS.map(topic => topicName(config, topic)),
      });
      if (topics.every(({ partitions }) => partitions.every(({ leader }) => leader >= 0))) return;
    } catch (error) {
      if (performance.now() > end) throw error;
    }
    if (performance.now() > end) throw unavailable('the topics have no leaders yet');
  }
};

/** Asks again while the broker has not heard yet of a topic that was just made. */
const heardOf = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (const end = performance.now() + 10_000; ; await sleep(50)) {
    try {
      return await ask();
    } catch (error) {
      const { type } = error as { type?: string };
      if (type !== 'UNKNOWN_TOPIC_OR_PARTITION' || performance.now() > end) throw error;
    }
  }
};

const create = async (admin: Admin, config: TopicsConfig, topic: Topic): Promise<string[]> => {
  const name = topicName(config, topic);
  const created = await admin.createTopics({
    // The client's waiting fails at a broker that has not heard of the topic yet.
    waitForLeaders: false,
    topics: [
      {
        topic: name,
        numPartitions: config.partitions,
        replicationFactor: config.replication,
        configEntries: Object.entries(settingsOf(topic, config)).map(([name, value]) => ({ name, value })),
      },
    ],
  });
  // Another migration was faster: with a configuration of its own, perhaps.
  if (!created) return update(admin, config, topic);
  return [`made the topic ${name}: ${config.partitions} partitions, ${config.replication} copies of each`];
};

const update = async (admin: Admin, config: TopicsConfig, topic: Topic): Promise<string[]> => {
  const name = topicName(config, topic);
  const resource = { type: ConfigResourceTypes.TOPIC, name };
  const { resources } = await heardOf(() =>
    admin.describeConfigs({ includeSynonyms: false, resources: [resource] }),
  );
  const entries = resources[0]?.configEntries ?? [];
  const now = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
  const settings = settingsOf(topic, config);
  const changed = Object.entries(settings).filter(([key, value]) => now.get(key) !== value);
  if (changed.length === 0) return [];
  // This request replaces all that was ever set on the topic: what others set is said again.
  const others = entries
    .filter(entry => entry.configSource === ConfigSource.TOPIC_CONFIG && !(entry.configName in settings))
    .map(({ configName, configValue }) => [configName, configValue] as const);
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        ...resource,
        configEntries: [...others, ...Object.entries(settings)].map(([name, value]) => ({ name, value })),
      },
    ],
  });
  return changed.map(([key, value]) => `set ${key} of the topic ${name} to ${value}`);
};
