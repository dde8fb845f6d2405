import { describeOnEngines } from '../support/engines.ts';
import { describeAsOf } from './as-of.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeAsOf('cluster', () => openElasticsearchProjections(), [1]);
});
