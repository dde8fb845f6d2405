import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeCorrection } from './correction.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';
import { openListingBench } from './openers/embedded.ts';

describeInBothModes('correction', {
  embedded: () => {
    describeCorrection('embedded', openListingBench);
  },
  cluster: () => {
    describeCorrection('cluster', openElasticsearchListing);
  },
});
