import { openProjections } from '../support/contracts-embedded.ts';
import { describeAsOf } from './as-of.contract.ts';

describeAsOf('embedded', () => openProjections(), [1, 2, 3, 4, 5]);
