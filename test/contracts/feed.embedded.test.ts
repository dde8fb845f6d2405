import { describeFeed } from './feed.contract.ts';
import { openProjections } from './openers/embedded.ts';

describeFeed('embedded', () => openProjections());
