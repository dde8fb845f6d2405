import { describeFreshness } from './freshness.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeFreshness('embedded', () => openProjections());
