import { openClusterAdmissionBench } from '../support/contracts-cluster-admission.ts';
import { describeOnEngines } from '../support/engines.ts';
import { describeAdmission } from './admission.contract.ts';

describeOnEngines('admission on Redis', () => describeAdmission('Redis', openClusterAdmissionBench));
