import { openElasticsearchProjections } from '../support/contracts-elasticsearch.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeAsOf } from './as-of.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeAsOf('cluster', () => openElasticsearchProjections(), [1, 2]);
});
