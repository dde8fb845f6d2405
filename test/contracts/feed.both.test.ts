import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeFeed } from './feed.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';

describeInBothModes('feed', {
  embedded: () => {
    describeFeed('embedded', () => openProjections());
  },
  cluster: () => {
    describeFeed('cluster', () => openElasticsearchProjections());
  },
});
