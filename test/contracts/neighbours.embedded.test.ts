import { openProjections } from '../support/contracts-embedded.ts';
import { describeNeighbours } from './neighbours.contract.ts';

describeNeighbours('embedded', () => openProjections());
