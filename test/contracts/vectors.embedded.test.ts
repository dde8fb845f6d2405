import { openProjections } from './openers/embedded.ts';
import { describeVectors } from './vectors.contract.ts';

describeVectors('embedded', clock => openProjections(undefined, clock));
