import { openEmbeddedVerify } from './openers/verify-embedded.ts';
import { describeVerify } from './verify.contract.ts';

describeVerify('embedded', () => openEmbeddedVerify());
