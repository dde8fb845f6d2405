import { describeOnEngines } from '../support/engines.ts';
import { describeAdmission } from './admission.contract.ts';
import { openClusterAdmissionBench } from './openers/cluster-admission.ts';

describeOnEngines('admission on Redis', () => describeAdmission('Redis', () => openClusterAdmissionBench()));
