import { describeInBothModes } from '../support/engines/both-modes.ts';
import { openElasticsearchListing, openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openListingBench, openProjections } from './openers/embedded.ts';
import { describePeople } from './people.contract.ts';

describeInBothModes('people', {
  embedded: () => {
    describePeople('embedded', openListingBench, openProjections);
  },
  cluster: () => {
    describePeople('cluster', openElasticsearchListing, openElasticsearchProjections);
  },
});
