import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeNames } from './names.contract.ts';
import { openElasticsearchListing, openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openListingBench, openProjections } from './openers/embedded.ts';

describeInBothModes('names', {
  embedded: () => {
    describeNames('embedded', openListingBench, openProjections);
  },
  cluster: () => {
    describeNames('cluster', openElasticsearchListing, openElasticsearchProjections);
  },
});
