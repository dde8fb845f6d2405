import { openElasticsearchProjections } from '../support/contracts-elasticsearch.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeProjections } from './projections.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeProjections('cluster', () => openElasticsearchProjections());
});
