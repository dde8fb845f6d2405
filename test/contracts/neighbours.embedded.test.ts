import { describeNeighbours } from './neighbours.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeNeighbours('embedded', () => openProjections());
