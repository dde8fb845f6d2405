import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeListing } from './listing.contract.ts';
import { describeListingConversation } from './listing-conversation.contract.ts';
import { describeListingPages } from './listing-pages.contract.ts';
import { describeListingWords } from './listing-words.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';
import { openListingBench } from './openers/embedded.ts';

describeInBothModes('listing', {
  embedded: () => {
    describeListing('embedded', openListingBench);
    describeListingPages('embedded', openListingBench);
    describeListingConversation('embedded', openListingBench);
    describeListingWords('embedded', openListingBench);
  },
  cluster: () => {
    describeListing('cluster', openElasticsearchListing);
    describeListingPages('cluster', openElasticsearchListing);
    describeListingConversation('cluster', openElasticsearchListing);
    describeListingWords('cluster', openElasticsearchListing);
  },
});
