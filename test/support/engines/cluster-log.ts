/** The log and the keys of a cluster, opened beside its own processes. */
import { once } from 'node:events';
import { readConfig } from '../../../core/config.ts';
import type { KeyStore, SharedLog } from '../../../core/ports.ts';
import { connectElasticsearch } from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { openKafkaLog } from '../../../infra/cluster/kafka/log.ts';
import { openKeyIndex } from '../../../infra/cluster/keys/index/elasticsearch-index.ts';
import { openLogKeyStore } from '../../../infra/cluster/keys/key-store.ts';
import { connectRedis } from '../../../infra/cluster/redis/redis-client.ts';
import { followInstallationKeys } from '../../../infra/secrets/installation-keys.ts';
import type { Cluster } from '../processes/cluster.ts';

export interface LogAndKeys {
  log: SharedLog;
  keys: KeyStore;
}

/** Opens them as the cluster's processes do, and closes them when `use` is done. */
export const withLogAndKeys = async <T>(
  cluster: Pick<Cluster, 'environment'>,
  use: (opened: LogAndKeys) => Promise<T>,
): Promise<T> => {
  const read = readConfig(cluster.environment);
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const config = read.config.cluster!;
  const log = await openKafkaLog(config);
  const redis = connectRedis(config);
  await once(redis, 'ready');
  const installation = followInstallationKeys(config.installationKey);
  const elasticsearch = connectElasticsearch(config);
  const index = openKeyIndex(elasticsearch, config);
  const keys = openLogKeyStore({ redis, namespace: config.namespace, log, index, installation });
  try {
    return await use({ log, keys });
  } finally {
    await keys.close();
    await elasticsearch.close();
    await log.close();
    redis.disconnect();
  }
};
