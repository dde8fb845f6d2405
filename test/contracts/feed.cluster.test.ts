import { openElasticsearchProjections } from '../support/contracts-elasticsearch.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeFeed } from './feed.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeFeed('cluster', () => openElasticsearchProjections());
});
