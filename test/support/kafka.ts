/** What the suites of the shared log need of Kafka itself. */
import { connectKafka } from '../../infra/cluster/kafka-client.ts';
import { TOPICS, topicName } from '../../infra/cluster/kafka-records.ts';
import type { ClusterConfig } from '../../schemas/config.ts';

/** Removes the topics and groups of a suite's namespace. */
export const deleteTopics = async (config: ClusterConfig): Promise<void> => {
  const admin = connectKafka(config).admin();
  await admin.connect();
  try {
    const { groups } = await admin.listGroups();
    const own = groups.map(({ groupId }) => groupId).filter(id => id.startsWith(`${config.namespace}.`));
    if (own.length > 0) await admin.deleteGroups(own);
    const present = await admin.listTopics();
    const topics = TOPICS.map(topic => topicName(config, topic)).filter(name => present.includes(name));
    // The client's second try finds that the first one did it.
    await admin.deleteTopics({ topics }).catch(error => {
      if (!String(error.message).includes('does not host')) throw error;
    });
  } finally {
    await admin.disconnect();
  }
};
