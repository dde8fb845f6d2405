import { openProjections } from '../support/contracts-embedded.ts';
import { describeProjections } from './projections.contract.ts';

describeProjections('embedded', () => openProjections());
