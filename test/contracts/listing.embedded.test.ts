import { openListingBench } from '../support/contracts-embedded.ts';
import { describeListing } from './listing.contract.ts';

describeListing('embedded', openListingBench);
