import { describeAdmission } from './admission.contract.ts';
import { openAdmissionBench } from './openers/embedded.ts';

describeAdmission('embedded', openAdmissionBench);
