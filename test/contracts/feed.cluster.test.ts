import { describeOnEngines } from '../support/engines.ts';
import { describeFeed } from './feed.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeFeed('cluster', () => openElasticsearchProjections());
});
