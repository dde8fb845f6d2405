import { openEmbeddedVerify } from '../support/contracts-verify-embedded.ts';
import { describeVerify } from './verify.contract.ts';

describeVerify('embedded', () => openEmbeddedVerify());
