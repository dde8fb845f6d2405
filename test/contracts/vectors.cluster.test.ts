import { describeOnEngines } from '../support/engines.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { describeVectors } from './vectors.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeVectors('cluster', clock => openElasticsearchProjections(undefined, undefined, clock));
});
