import { describeAsOf } from './as-of.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeAsOf('embedded', () => openProjections(), [1, 2, 3, 4, 5]);
