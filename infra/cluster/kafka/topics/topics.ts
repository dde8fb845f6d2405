import { setTimeout as sleep } from 'node:timers/promises';
import { unavailable } from '../../../../core/errors.ts';
import { FORMAT, formatFault } from '../../../../core/format.ts';
import type { Topic } from '../../../../core/ports.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { type KafkaAdmin, openAdmin } from '../client/admin.ts';
import { asOutage, type KafkaConnection } from '../client/kafka-client.ts';
import { formatTopic, isCompacted, MAX_BATCH_BYTES, TOPICS, topicName } from '../records.ts';
import { COMPACTION } from './compaction.ts';

type TopicsConfig = KafkaConnection & Pick<ClusterConfig, 'namespace' | 'partitions' | 'replication'>;

/**
 * Returns a topic's settings: the log is authoritative and kept forever; a write waits for all replicas but
 * one.
 */
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
 * A leader that lacks acknowledged records must not be elected. Set only if the brokers' default allows it:
 * services that never allow it refuse the setting itself.
 */
const UNCLEAN = 'unclean.leader.election.enable';

/**
 * Creates missing topics and updates the settings of the others; idempotent, and safe to run concurrently.
 * Returns a line about each change. Before any change, throws if the topics are of another format, or one has
 * another number of partitions than configured: adding partitions would split the records of a key between
 * two of them.
 */
export const migrateTopics = async (config: TopicsConfig): Promise<string[]> => {
  let admin: KafkaAdmin | undefined;
  try {
    admin = await openAdmin(config, 'turnstone-migrate');
    const present = await partitionCounts(admin, config);
    const names = await admin.topics();
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
    await admin?.close().catch(() => {});
  }
};

/** Returns the problems that keep the service from starting on these topics. */
export const topicFaults = async (admin: KafkaAdmin, config: TopicsConfig): Promise<string[]> => {
  const wrong = otherFormat(config, await admin.topics());
  if (wrong.length > 0) return wrong;
  const present = await partitionCounts(admin, config);
  const missing = TOPICS.filter(topic => !present.has(topic)).flatMap(topic =>
    partitionFault(config, topic, undefined),
  );
  return [...missing, ...(await unusable(admin, config, present))];
};

/** Returns why the existing topics must not be read: they are of another format, or of none. */
const otherFormat = (config: Pick<TopicsConfig, 'namespace'>, names: readonly string[]): string[] => {
  if (names.includes(formatTopic(config, FORMAT))) return [];
  if (!TOPICS.some(topic => names.includes(topicName(config, topic)))) return [];
  const own = names.filter(name => name.startsWith(`${config.namespace}.`));
  const [, found] = own.flatMap(name => FORMAT_OF.exec(name.slice(config.namespace.length)) ?? []);
  const remedy = 'Start with another TURNSTONE_NAMESPACE.';
  const data = `The data in the topics ${config.namespace}.*`;
  return [formatFault(data, found === undefined ? undefined : Number(found), remedy)!];
};

const FORMAT_OF = /^\.format-(\d+)$/;

/**
 * Creates the format topic. It comes first: if it is missing beside the others, their format is another one.
 */
const createFormatTopic = (admin: KafkaAdmin, config: TopicsConfig): Promise<boolean> =>
  admin.create({
    name: formatTopic(config, FORMAT),
    partitions: 1,
    replication: config.replication,
    settings: {},
  });

/**
 * Returns the topics on which records would be placed wrongly: they have fewer partitions than configured, or
 * records in partitions beyond, which were configured when they were written. Added empty partitions change
 * no record's partition: calls can be served, and only projection waits for an operator (integrity.ts).
 */
const unusable = async (
  admin: KafkaAdmin,
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
  admin: KafkaAdmin,
  config: Pick<TopicsConfig, 'namespace' | 'partitions'>,
  topic: Topic,
): Promise<boolean> =>
  (await admin.offsets(topicName(config, topic))).some(
    ({ partition, high }) => partition >= config.partitions && high > 0,
  );

/** Reports topics that don't match the configuration; the message is for operators. */
export class WrongTopics extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'WrongTopics';
  }
}

/** Returns the fault of a topic's partition count. `count`: undefined if the topic is missing. */
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

/** Returns the number of partitions of each topic that exists. */
export const partitionCounts = async (
  admin: KafkaAdmin,
  config: Pick<TopicsConfig, 'namespace'>,
): Promise<Map<Topic, number>> => {
  const names = new Set(await admin.topics());
  const topics = TOPICS.filter(topic => names.has(topicName(config, topic)));
  if (topics.length === 0) return new Map();
  const found = await admin.leaders(topics.map(topic => topicName(config, topic)));
  return new Map(
    topics.flatMap(topic => {
      const leaders = found.get(topicName(config, topic));
      return leaders ? [[topic, leaders.length] as const] : [];
    }),
  );
};

/** Waits until the brokers know the topics: creating one resolves before that. */
const untilLed = async (admin: KafkaAdmin, config: TopicsConfig): Promise<void> => {
  for (const end = performance.now() + 30_000; ; await sleep(50)) {
    try {
      const leaders = await admin.leaders(TOPICS.map(topic => topicName(config, topic)));
      if ([...leaders.values()].flat().every(leader => leader >= 0)) return;
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

const create = async (admin: KafkaAdmin, config: TopicsConfig, topic: Topic): Promise<string[]> => {
  const name = topicName(config, topic);
  const { partitions, replication } = config;
  const created = await admin.create({ name, partitions, replication, settings: settingsOf(topic, config) });
  // Another migration created the topic, perhaps with another configuration.
  const updated = await update(admin, config, topic);
  if (!created) return updated;
  return [`made the topic ${name}: ${partitions} partitions, ${replication} copies of each`, ...updated];
};

const update = async (admin: KafkaAdmin, config: TopicsConfig, topic: Topic): Promise<string[]> => {
  const name = topicName(config, topic);
  const entries = (await untilKnown(() => admin.settings([name]))).get(name) ?? [];
  const now = new Map(entries.map(({ name, value }) => [name, value]));
  const settings = {
    ...settingsOf(topic, config),
    ...(now.get(UNCLEAN) === 'true' && { [UNCLEAN]: 'false' }),
  };
  // Values that remove destroyed keys even sooner are kept.
  const wanted = Object.entries(settings).map(([key, value]) => {
    const found = now.get(key);
    return [key, found !== undefined && COMPACTION[key]?.isRight(found) ? found : value] as const;
  });
  const changed = wanted.filter(([key, value]) => now.get(key) !== value);
  if (changed.length === 0) return [];
  // This request replaces all settings of the topic: repeat those set by others.
  const others = entries
    .filter(({ name, isOwn }) => isOwn && !(name in settings))
    .map(({ name, value }) => [name, value] as const);
  await admin.setSettings(name, Object.fromEntries([...others, ...wanted]));
  return changed.map(([key, value]) => `set ${key} of the topic ${name} to ${value}`);
};
