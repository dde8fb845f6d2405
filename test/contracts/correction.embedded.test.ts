import { describeCorrection } from './correction.contract.ts';
import { openListingBench } from './openers/embedded.ts';

describeCorrection('embedded', openListingBench);
