import { describeGenerations } from './generations.contract.ts';
import { openEmbeddedGenerations } from './openers/generations-embedded.ts';

describeGenerations('embedded', openEmbeddedGenerations);
