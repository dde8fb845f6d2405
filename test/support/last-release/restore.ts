/** Puts a fixture where today's code finds it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectKafka } from '../../../infra/cluster/kafka/client.ts';
import { isCompacted, TOPICS, topicName } from '../../../infra/cluster/kafka/records.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import type { Topic } from '../../../services/core/ports.ts';
import { temporaryFolder } from '../server.ts';
import { readFolder, readTopics } from './stored.ts';
import type { OrganizationThen } from './world.ts';

/** A data folder as the last release's SIGKILL left it. */
export const restoreFolder = (): { dataDir: string; organizations: OrganizationThen[] } => {
  const { head, parts } = readFolder();
  const dataDir = temporaryFolder();
  for (const [i, { name }] of head.files.entries())
    writeFileSync(join(dataDir, name), parts[i]!, { mode: 0o600 });
  return { dataDir, organizations: head.organizations };
};

type Place = Pick<ClusterConfig, 'kafkaBrokers' | 'kafka' | 'namespace' | 'replication'>;

/** The topics as the last release made them, with its records in their order. The settings are those of then. */
export const restoreTopics = async (
  config: Place,
): Promise<{ organizations: OrganizationThen[]; records: number }> => {
  const { head, parts } = readTopics();
  const kafka = connectKafka(config);
  const admin = kafka.admin();
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
  });
  await Promise.all([admin.connect(), producer.connect()]);
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: TOPICS.map(topic => ({
        topic: topicName(config, topic),
        numPartitions: head.partitions,
        replicationFactor: config.replication,
        configEntries: [
          { name: 'cleanup.policy', value: isCompacted(topic) ? 'compact' : 'delete' },
          { name: 'retention.ms', value: '-1' },
        ],
      })),
    });
    const records = head.records.map((record, i) => ({ ...record, value: parts[i]! }));
    const topicMessages = [...Map.groupBy(records, ({ topic }) => topic)].map(([topic, own]) => ({
      topic: topicName(config, topic as Topic),
      messages: own.map(({ partition, name, headers, bytes, value }) => ({
        partition,
        key: name,
        headers,
        value: bytes < 0 ? null : value,
      })),
    }));
    await producer.sendBatch({ acks: -1, topicMessages });
  } finally {
    await Promise.all([admin.disconnect(), producer.disconnect()]);
  }
  return { organizations: head.organizations, records: head.records.length };
};

/** The path of a file with the key that wraps all that the restored topics hold. */
export const restoreInstallationKey = (): string => {
  const path = join(temporaryFolder(), 'installation-key');
  writeFileSync(path, readTopics().head.installationKey, { mode: 0o600 });
  return path;
};
