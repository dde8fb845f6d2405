import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { unavailable } from '../../../services/core/errors.ts';
import { FORMAT, formatFault } from '../../../services/core/format.ts';
import type { Topic } from '../../../services/core/ports.ts';
import { asOutage, connectKafka, type KafkaPlace } from './client.ts';
import { COMPACTION } from './compaction.ts';
import { formatTopic, isCompacted, MAX_BATCH_BYTES, offsetOf, TOPICS, topicName } from './records.ts';

// Node can't find these names in the package's exports.
const { ConfigResourceTypes, ConfigSource } = kafkajs;

type TopicsConfig = KafkaPlace & Pick<ClusterConfig, 'namespace' | 'partitions' | 'replication'>;

/** The log is authoritative and kept forever; a write waits for all replicas but one. */
const settingsOf = (topic: Topic, { replication }: TopicsConfig): Record<string, string> => ({
  'cleanup.policy': isCompacted(topic) ? 'compact' : 'delete',
  'retention.ms': '-1',
  'retention.bytes': '-1',
  'min.insync.replicas': String(Math.max(1, replication - 1)),
  'max.message.bytes': String(MAX_BATCH_BYTES),
  ...(isCompacted(topic) &&
    Object.fromEntries(Object.entries(COMPACTION).map(([name, { value }]) => [name, value]))),
});

/**
 * A leader that lacks acknowledged records must not be elected. Set only where the brokers' default allows it: services
 * that never allow it refuse the setting itself.
 */
const UNCLEAN = 'unclean.leader.election.enable';

/**
 * Creates missing topics and updates the settings of the others; idempotent, and safe to run concurrently. Returns a line
 * about each change. Throws, before it changes anything, where the topics are of another format, or one has another number of
 * partitions than configured: adding partitions would split the records of a key between two of them.
 */
export const migrateTopics = async (config: TopicsConfig): Promise<string[]> => {
  const admin = connectKafka(config, 'turnstone-migrate').admin();
  try {
    await admin.connect();
    const present = await partitionCounts(admin, config);
    const names = await admin.listTopics();
    const wrong = [...otherFormat(config, names), ...(await unusable(admin, config, present))];
    if (wrong.length > 0) throw new WrongTopics(wrong);
    const done: string[] = [];
    if (!names.includes(formatTopic(config, FORMAT))) await createFormatTopic(admin, config);
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

/** Problems that keep the service from starting on these topics. */
export const topicFaults = async (admin: Admin, config: TopicsConfig): Promise<string[]> => {
  const wrong = otherFormat(config, await admin.listTopics());
  if (wrong.length > 0) return wrong;
  const present = await partitionCounts(admin, config);
  const missing = TOPICS.filter(topic => !present.has(topic)).flatMap(topic =>
    partitionFault(config, topic, undefined),
  );
  return [...missing, ...(await unusable(admin, config, present))];
};

/** Why the topics must not be read, where there are any: they are of another format, or of none. */
const otherFormat = (config: Pick<TopicsConfig, 'namespace'>, names: readonly string[]): string[] => {
  if (names.includes(formatTopic(config, FORMAT))) return [];
  if (!TOPICS.some(topic => names.includes(topicName(config, topic)))) return [];
  const [, found] = names.flatMap(name => FORMAT_OF.exec(name.slice(config.namespace.length)) ?? []);
  const remedy = 'Start with another TURNSTONE_NAMESPACE.';
  const data = `The data in the topics ${config.namespace}.*`;
  return [formatFault(data, found === undefined ? undefined : Number(found), remedy)!];
};

const FORMAT_OF = /^\.format-(\d+)$/;

/** Its absence beside the others says that they are older, so it is made first. */
const createFormatTopic = async (admin: Admin, config: TopicsConfig): Promise<void> => {
  await admin.createTopics({
    waitForLeaders: false,
    topics: [{ topic: formatTopic(config, FORMAT), numPartitions: 1, replicationFactor: config.replication }],
  });
};

/**
 * The topics on which records would be placed wrongly: with fewer partitions than configured, or with records in
 * partitions beyond, which were configured when they were written. Partitions that were added and are empty change no
 * record's place: calls can be served, and only projection waits for an operator (integrity.ts).
 */
const unusable = async (
  admin: Admin,
  config: Pick<TopicsConfig, 'namespace' | 'partitions'>,
  present: ReadonlyMap<Topic, number>,
): Promise<string[]> => {
  const faults: string[] = [];
  for (const [topic, count] of present) {
    if (count === config.partitions) continue;
    if (count < config.partitions || (await holdsRecordsBeyond(admin, config, topic)))
      faults.push(...partitionFault(config, topic, count));
  }
  return faults;
};

const holdsRecordsBeyond = async (
  admin: Admin,
  config: Pick<TopicsConfig, 'namespace' | 'partitions'>,
  topic: Topic,
): Promise<boolean> =>
  (await admin.fetchTopicOffsets(topicName(config, topic))).some(
    ({ partition, high }) => partition >= config.partitions && offsetOf(high) > 0,
  );

/** The topics don't match the configuration; the message is for operators. */
export class WrongTopics extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'WrongTopics';
  }
}

/** `count`: the topic's partitions; undefined when it is missing. */
export const partitionFault = (
  config: Pick<TopicsConfig, 'namespace' | 'partitions'>,
  topic: Topic,
  count: number | undefined,
): string[] => {
  const name = topicName(config, topic);
  if (count === undefined) return [`the topic ${name} is missing: run \`turnstone migrate\``];
  if (count === config.partitions) return [];
  return [
    `the topic ${name} has ${count} partitions and ${config.partitions} are configured: ` +
      'the number is fixed when a topic is made, so configure the one that it had then',
  ];
};

/** The number of partitions of each topic that exists. */
export const partitionCounts = async (
  admin: Admin,
  config: Pick<TopicsConfig, 'namespace'>,
): Promise<Map<Topic, number>> => {
  // Requesting metadata of a missing topic is an error.
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

/** Creating a topic resolves before every broker knows the topic. */
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

/** Retries while the broker does not know a topic that was just created. */
const untilKnown = async <T>(ask: () => Promise<T>): Promise<T> => {
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
    // The client's own wait fails at a broker that does not know the topic yet.
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
  // Another migration created the topic, perhaps with another configuration.
  const updated = await update(admin, config, topic);
  if (!created) return updated;
  return [
    `made the topic ${name}: ${config.partitions} partitions, ${config.replication} copies of each`,
    ...updated,
  ];
};

const update = async (admin: Admin, config: TopicsConfig, topic: Topic): Promise<string[]> => {
  const name = topicName(config, topic);
  const resource = { type: ConfigResourceTypes.TOPIC, name };
  const { resources } = await untilKnown(() =>
    admin.describeConfigs({ includeSynonyms: false, resources: [resource] }),
  );
  const entries = resources[0]?.configEntries ?? [];
  const now = new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
  const settings = {
    ...settingsOf(topic, config),
    ...(now.get(UNCLEAN) === 'true' && { [UNCLEAN]: 'false' }),
  };
  // Whoever wants destroyed keys to be gone sooner keeps the values that do it.
  const wanted = Object.entries(settings).map(([key, value]) => {
    const found = now.get(key);
    return [key, found !== undefined && COMPACTION[key]?.isRight(found) ? found : value] as const;
  });
  const changed = wanted.filter(([key, value]) => now.get(key) !== value);
  if (changed.length === 0) return [];
  // This request replaces all settings of the topic: repeat those set by others.
  const others = entries
    .filter(entry => entry.configSource === ConfigSource.TOPIC_CONFIG && !(entry.configName in settings))
    .map(({ configName, configValue }) => [configName, configValue] as const);
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        ...resource,
        configEntries: [...others, ...wanted].map(([name, value]) => ({ name, value })),
      },
    ],
  });
  return changed.map(([key, value]) => `set ${key} of the topic ${name} to ${value}`);
};
