import { describeOnEngines } from '../support/engines.ts';
import { describeFilter } from './filter.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeFilter('cluster', () => openElasticsearchProjections(), [1]);
});
