import { isLong } from '../support/long.ts';
import { describeFilter } from './filter.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeFilter('embedded', () => openProjections(), isLong ? [1, 2, 3, 4, 5] : [1, 2]);
