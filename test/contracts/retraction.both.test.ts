import { describeInBothModes } from '../support/engines/both-modes.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';
import { openListingBench } from './openers/embedded.ts';
import { describeRetraction } from './retraction.contract.ts';

describeInBothModes('retraction', {
  embedded: () => {
    describeRetraction('embedded', openListingBench);
  },
  cluster: () => {
    describeRetraction('cluster', openElasticsearchListing);
  },
});
