import { connectClickhouse } from '../../../infra/cluster/clickhouse/clickhouse-client.ts';
import { accountIndex } from '../../../infra/cluster/elasticsearch/accounts/account-index.ts';
import { connectElasticsearch } from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallAlias } from '../../../infra/cluster/elasticsearch/index/index.ts';
import { registryIndex } from '../../../infra/cluster/elasticsearch/index/registry.ts';
import { keysIndex } from '../../../infra/cluster/keys/index/elasticsearch-index.ts';
import { connectRedis } from '../../../infra/cluster/redis/redis-client.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { until } from '../wait.ts';
import { deleteTopics } from './kafka.ts';
import { dropRedisKeys } from './redis.ts';

/** Deletes the path; what is not there is removed already. */
export const deleteInElasticsearch = async (
  { elasticsearchUrl }: Pick<ClusterConfig, 'elasticsearchUrl'>,
  path: string,
): Promise<void> => {
  const { username, password, origin } = new URL(elasticsearchUrl);
  const credentials = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
  const response = await fetch(`${origin}/${path}`, {
    method: 'DELETE',
    headers: username === '' ? {} : { authorization: `Basic ${credentials.toString('base64')}` },
  });
  if (!response.ok && response.status !== 404)
    throw new Error(`Elasticsearch did not delete ${path}: ${response.status}`);
};

const dropIndexes = async (config: ClusterConfig): Promise<void> => {
  const elasticsearch = connectElasticsearch(config);
  const alias = recallAlias(config);
  try {
    const query = { filter_path: '*.aliases' };
    const found = await elasticsearch.ask<object>('GET', `/${alias}-*`, { query });
    for (const name of Object.keys(found)) await deleteInElasticsearch(config, name);
    await deleteInElasticsearch(config, `_index_template/${alias}`);
    await deleteInElasticsearch(config, registryIndex(config));
    await deleteInElasticsearch(config, accountIndex(config));
    await deleteInElasticsearch(config, `_index_template/${accountIndex(config)}`);
    await deleteInElasticsearch(config, keysIndex(config));
    await deleteInElasticsearch(config, `_index_template/${keysIndex(config)}`);
  } finally {
    await elasticsearch.close();
  }
};

const dropTables = async (config: ClusterConfig): Promise<void> => {
  const server = connectClickhouse(config, { timeoutMs: 60_000, database: '' });
  try {
    await server.command(`DROP DATABASE IF EXISTS \`${config.namespace}\` SYNC`);
  } finally {
    await server.close();
  }
};

const dropKeys = async (config: ClusterConfig): Promise<void> => {
  const redis = connectRedis(config);
  try {
    await new Promise((resolve, reject) => redis.once('ready', resolve).once('error', reject));
    await dropRedisKeys(redis, config.namespace);
  } finally {
    redis.disconnect();
  }
};

/** Removes all that an installation has in the shared engines. Its processes must have ended. */
export const dropNamespace = async (config: ClusterConfig): Promise<void> => {
  const outcomes = await Promise.allSettled([
    deleteTopics(config),
    dropIndexes(config),
    dropTables(config),
    dropKeys(config),
  ]);
  const failed = outcomes.find(outcome => outcome.status === 'rejected');
  if (failed) throw failed.reason;
};

/** The same for processes that were killed: the broker waits some seconds for them to come back. */
export const dropNamespaceOfKilled = (config: ClusterConfig): Promise<void> =>
  until('the namespace is gone', () => dropNamespace(config).then(() => true), 40_000);
