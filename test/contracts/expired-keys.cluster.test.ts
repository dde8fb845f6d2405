import { makeKeysWorld } from '../support/cluster-keys-world.ts';
import { clusterConfig, describeOnEngines } from '../support/engines.ts';
import { describeExpiredKeys } from './expired-keys.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('keys of expired sessions on Elasticsearch and Redis', () => {
  const { openStore, fresh } = makeKeysWorld(clusterConfig());
  describeExpiredKeys('cluster', async () => {
    const { name, log } = fresh();
    const [keys, other] = [openStore(name, log), openStore(name, log)];
    return {
      log,
      keys,
      other,
      open: clock => openElasticsearchProjections(undefined, {}, clock),
      close: async () => {
        await keys.close();
        await other.close();
      },
    };
  });
});
