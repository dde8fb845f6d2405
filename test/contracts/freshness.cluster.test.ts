import { describeOnEngines } from '../support/engines.ts';
import { describeFreshness } from './freshness.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeFreshness('cluster', () => openElasticsearchProjections());
});
