import { openListingBench } from './openers/embedded.ts';
import { describeRetraction } from './retraction.contract.ts';

describeRetraction('embedded', openListingBench);
