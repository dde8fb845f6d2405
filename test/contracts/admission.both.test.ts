import { describeInBothModes } from '../support/engines/both-modes.ts';
import { describeAdmission } from './admission.contract.ts';
import { openClusterAdmissionBench } from './openers/cluster-admission.ts';
import { openAdmissionBench } from './openers/embedded.ts';

describeInBothModes('admission', {
  embedded: () => {
    describeAdmission('embedded', openAdmissionBench);
  },
  cluster: () => {
    describeAdmission('Redis', () => openClusterAdmissionBench());
  },
});
