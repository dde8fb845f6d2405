import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeFreshness } from './freshness.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';

describeInBothModes('freshness', {
  embedded: () => {
    describeFreshness('embedded', () => openProjections());
  },
  cluster: () => {
    describeFreshness('cluster', () => openElasticsearchProjections());
  },
});
