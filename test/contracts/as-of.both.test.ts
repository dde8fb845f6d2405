import { describeInBothModes } from '../support/engines/both-modes.ts';
import { isLong } from '../support/long.ts';
import { describeAsOf } from './as-of.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';

describeInBothModes('as of', {
  embedded: () => {
    describeAsOf('embedded', () => openProjections(), isLong ? [1, 2, 3, 4, 5] : [1, 2]);
  },
  cluster: () => {
    describeAsOf('cluster', () => openElasticsearchProjections(), [1]);
  },
});
