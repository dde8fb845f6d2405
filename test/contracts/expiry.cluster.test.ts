import { describeOnEngines } from '../support/engines.ts';
import { describeExpiry } from './expiry.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeExpiry('cluster', clock => openElasticsearchProjections(undefined, undefined, clock));
});
