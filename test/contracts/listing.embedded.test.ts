import { describeListing } from './listing.contract.ts';
import { describeListingConversation } from './listing-conversation.contract.ts';
import { describeListingPages } from './listing-pages.contract.ts';
import { openListingBench } from './openers/embedded.ts';

describeListing('embedded', openListingBench);
describeListingPages('embedded', openListingBench);
describeListingConversation('embedded', openListingBench);
