import { describeOnEngines } from '../support/engines.ts';
import { describeListing } from './listing.contract.ts';
import { describeListingConversation } from './listing-conversation.contract.ts';
import { describeListingPages } from './listing-pages.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';

describeOnEngines('on Elasticsearch', () => {
  describeListing('cluster', openElasticsearchListing);
  describeListingPages('cluster', openElasticsearchListing);
  describeListingConversation('cluster', openElasticsearchListing);
});
