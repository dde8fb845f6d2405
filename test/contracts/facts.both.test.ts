import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeFacts } from './facts.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';
import { openListingBench } from './openers/embedded.ts';

describeInBothModes('facts', {
  embedded: () => {
    describeFacts('embedded', openListingBench);
  },
  cluster: () => {
    describeFacts('cluster', openElasticsearchListing);
  },
});
