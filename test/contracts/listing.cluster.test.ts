import { describeOnEngines } from '../support/engines.ts';
import { describeListing } from './listing.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeListing('cluster', openElasticsearchListing);
});
