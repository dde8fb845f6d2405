import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeGenerations } from './generations.contract.ts';
import { openClusterGenerations } from './openers/generations-cluster.ts';
import { openEmbeddedGenerations } from './openers/generations-embedded.ts';

describeInBothModes('generations', {
  embedded: () => {
    describeGenerations('embedded', openEmbeddedGenerations);
  },
  cluster: () => {
    describeGenerations('cluster', openClusterGenerations);
  },
});
