import type { ClusterConfig } from '../../../../schemas/config.ts';
import { connectElasticsearch } from '../../elasticsearch/elasticsearch-client.ts';
import { openKafkaLog } from '../../kafka/log.ts';
import { migrateKeysIndex, openKeyIndex } from './elasticsearch-index.ts';
import { makeKeyIndexer } from './indexer.ts';

/**
 * Creates the index of the keys if it is missing and reads the topic into it, to its end: the first call that
 * needs a key must not wait for the projectors. Continues an interrupted read.
 */
export const migrateKeys = async (config: ClusterConfig): Promise<string[]> => {
  const made = await migrateKeysIndex(config);
  const elasticsearch = connectElasticsearch(config);
  const log = await openKafkaLog(config, { clientId: 'turnstone-migrate' });
  try {
    const index = openKeyIndex(elasticsearch, config);
    const read = await makeKeyIndexer({ index, log, clock: Date.now }).catchUp();
    if (read > 0) made.push(`${read} records of the topic keys read into its index`);
    return made;
  } finally {
    await log.close();
    await elasticsearch.close();
  }
};
