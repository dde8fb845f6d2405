import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeExpiry } from './expiry.contract.ts';
import { openElasticsearchProjections } from './openers/elasticsearch.ts';
import { openProjections } from './openers/embedded.ts';

describeInBothModes('expiry', {
  embedded: () => {
    describeExpiry('embedded', clock => openProjections(undefined, clock));
  },
  cluster: () => {
    describeExpiry('cluster', clock => openElasticsearchProjections(undefined, undefined, clock));
  },
});
