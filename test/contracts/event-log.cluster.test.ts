import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { deleteTopics } from '../support/kafka.ts';
import { describeEventLog, type OpenLog } from './event-log.contract.ts';

const open = async (config: ClusterConfig): Promise<OpenLog> => {
  const log = await openKafkaLog(config);
  return {
    log,
    close: async () => {
      await log.close();
      await deleteTopics(config);
    },
    reopen: async () => {
      await log.close();
      return open(config);
    },
  };
};

describeOnEngines('event log', () => {
  describeEventLog('Kafka', async () => {
    const config = clusterConfig();
    await migrateTopics(config);
    return open(config);
  });
});
