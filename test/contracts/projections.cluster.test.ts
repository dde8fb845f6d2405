import { describeOnEngines } from '../support/engines.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { describeProjections } from './projections.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeProjections('cluster', () => openElasticsearchProjections());
});
