import { isLong } from '../support/long.ts';
import { describeAsOf } from './as-of.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeAsOf('embedded', () => openProjections(), isLong ? [1, 2, 3, 4, 5] : [1, 2]);
