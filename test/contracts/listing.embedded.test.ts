import { describeListing } from './listing.contract.ts';
import { openListingBench } from './openers/embedded.ts';

describeListing('embedded', openListingBench);
