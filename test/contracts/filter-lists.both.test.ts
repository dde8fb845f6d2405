import { describeInBothModes } from '../support/engines/both-modes.ts';
import { isLong } from '../support/long.ts';
import { describeFilteredLists } from './filter-lists.contract.ts';
import { openElasticsearchListing } from './openers/elasticsearch.ts';
import { openListingBench } from './openers/embedded.ts';

describeInBothModes('filter lists', {
  embedded: () => {
    describeFilteredLists('embedded', openListingBench, isLong ? [1, 2, 3, 4, 5] : [1, 2]);
  },
  cluster: () => {
    describeFilteredLists('cluster', openElasticsearchListing, [1]);
  },
});
