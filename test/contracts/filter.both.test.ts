import { describeInBothModes } from '../support/engines/both-modes.ts';
import { isLong } from '../support/long.ts';
import { describeFilter } from './filter.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';

describeInBothModes('filter', {
  embedded: () => {
    describeFilter('embedded', () => openProjections(), isLong ? [1, 2, 3, 4, 5] : [1, 2]);
  },
  cluster: () => {
    describeFilter('cluster', () => openElasticsearchProjections(), [1]);
  },
});
