/**
 * Checks that the topics still hold every record since the first one, and will keep them. A projection built
 * from a log that lost records would be served as the truth, and verification, which reads the same log,
 * would agree with it.
 */

import { partitionName } from '../../../../core/log/positions.ts';
import type { Topic } from '../../../../core/ports.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import type { KafkaAdmin } from '../client/admin.ts';
import { asOutage } from '../client/kafka-client.ts';
import { isCompacted, TOPICS, topicName } from '../records.ts';
import { COMPACTION } from './compaction.ts';
import { partitionCounts, partitionFault } from './topics.ts';

type LogConfig = Pick<ClusterConfig, 'namespace' | 'partitions'>;

/** Dead letters are copies: deleting them loses no event. */
const KEPT_FOR_EVER = TOPICS.filter(topic => topic !== 'dead-letters');

/** The documentation of the remedy for lost records. */
const REMEDY = 'docs/operate/backup.md, When the log is not what it was';

/**
 * Returns the faults of the topics, a line for each topic and fault, for operators; empty if the log is
 * whole. Asks the brokers at each call.
 */
export const logFaults = async (admin: KafkaAdmin, config: LogConfig): Promise<string[]> => {
  const counts = await partitionCounts(admin, config);
  const wrongCounts = KEPT_FOR_EVER.flatMap(topic => partitionFault(config, topic, counts.get(topic)));
  const present = KEPT_FOR_EVER.filter(topic => counts.has(topic));
  return [
    ...wrongCounts,
    ...(await settingFaults(admin, config, present)),
    ...(await Promise.all(present.map(topic => lostRecords(admin, config, topic)))).flat(),
  ];
};

const isUnlimited = (value: string): boolean => Number(value) < 0 || Number(value) > Number.MAX_SAFE_INTEGER;

interface Demand {
  isRight: (value: string) => boolean;
  /** The consequence of any other value. */
  otherwise: string;
}

const LOST = 'records could be lost';
const STAYS = 'destroyed keys stay on the disks';

/**
 * Returns the required settings of a topic. Some services lack a setting, which their brokers then don't
 * report.
 */
const demandsOf = (topic: Topic): Record<string, Demand> => ({
  'retention.ms': { isRight: isUnlimited, otherwise: LOST },
  'retention.bytes': { isRight: isUnlimited, otherwise: LOST },
  'cleanup.policy': {
    isRight: value => value === (isCompacted(topic) ? 'compact' : 'delete'),
    otherwise: LOST,
  },
  'unclean.leader.election.enable': { isRight: value => value === 'false', otherwise: LOST },
  ...(isCompacted(topic) &&
    Object.fromEntries(
      Object.entries(COMPACTION).map(([name, { isRight }]) => [name, { isRight, otherwise: STAYS }]),
    )),
});

const settingFaults = async (
  admin: KafkaAdmin,
  config: LogConfig,
  topics: readonly Topic[],
): Promise<string[]> => {
  if (topics.length === 0) return [];
  const described = await describe(admin, config, topics);
  if (!described)
    return [
      'the settings of the topics are not shown: allow DescribeConfigs on them, which `migrate` needs too',
    ];
  return topics.flatMap(topic => {
    const name = topicName(config, topic);
    const settings = described.get(name) ?? new Map<string, string>();
    return Object.entries(demandsOf(topic)).flatMap(([setting, { isRight, otherwise }]) => {
      const value = settings.get(setting);
      if (value === undefined || isRight(value)) return [];
      return [`${setting} of the topic ${name} is ${value}, and ${otherwise}: run \`turnstone migrate\``];
    });
  });
};

/** Returns the settings by topic; undefined if this user may not see them. */
const describe = async (
  admin: KafkaAdmin,
  config: LogConfig,
  topics: readonly Topic[],
): Promise<Map<string, Map<string, string>> | undefined> => {
  try {
    const found = await admin.settings(topics.map(topic => topicName(config, topic)));
    return new Map(
      [...found].map(([topic, settings]) => [
        topic,
        new Map(settings.map(({ name, value }) => [name, value])),
      ]),
    );
  } catch (error) {
    if (/_AUTHORIZATION_FAILED$/.test(asOutage(error).message)) return undefined;
    throw error;
  }
};

const lostRecords = async (admin: KafkaAdmin, config: LogConfig, topic: Topic): Promise<string[]> => {
  const name = topicName(config, topic);
  const begins = (await admin.offsets(name)).filter(({ low }) => low > 0);
  const first = begins.toSorted((a, b) => a.partition - b.partition)[0];
  if (!first) return [];
  const others = begins.length > 1 ? `, and ${begins.length - 1} more of its partitions` : '';
  return [
    `the topic ${partitionName({ topic: name, partition: first.partition })} begins at ${first.low}${others}: the ` +
      `records before were deleted, so restore the topic from a copy (${REMEDY})`,
  ];
};
