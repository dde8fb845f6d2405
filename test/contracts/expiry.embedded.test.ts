import { describeExpiry } from './expiry.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeExpiry('embedded', clock => openProjections(undefined, clock));
