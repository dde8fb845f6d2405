import { describeOnEngines } from '../support/engines.ts';
import { describeCorrection } from './correction.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeCorrection('cluster', openElasticsearchListing);
});
