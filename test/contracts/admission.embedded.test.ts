import { openAdmissionBench } from '../support/contracts-embedded.ts';
import { describeAdmission } from './admission.contract.ts';

describeAdmission('embedded', openAdmissionBench);
