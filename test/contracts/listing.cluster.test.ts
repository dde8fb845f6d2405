import { openElasticsearchListing } from '../support/contracts-elasticsearch.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeListing } from './listing.contract.ts';

describeOnEngines('on Elasticsearch', () => {
  describeListing('cluster', openElasticsearchListing);
});
