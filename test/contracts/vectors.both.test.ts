import { describeInBothModes } from '../support/engines/both-modes.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';
import { describeVectors } from './vectors.contract.ts';

describeInBothModes('vectors', {
  embedded: () => {
    describeVectors('embedded', clock => openProjections(undefined, clock));
  },
  cluster: () => {
    describeVectors('cluster', clock => openElasticsearchProjections(undefined, undefined, clock));
  },
});
