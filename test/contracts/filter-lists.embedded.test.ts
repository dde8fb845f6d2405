import { isLong } from '../support/long.ts';
import { describeFilteredLists } from './filter-lists.contract.ts';
import { openListingBench } from './openers/embedded.ts';

describeFilteredLists('embedded', openListingBench, isLong ? [1, 2, 3, 4, 5] : [1, 2]);
