import { describeNames } from './names.contract.ts';
import { openListingBench, openProjections } from './openers/embedded.ts';

describeNames('embedded', openListingBench, openProjections);
