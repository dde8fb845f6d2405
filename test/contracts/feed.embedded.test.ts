import { openProjections } from '../support/contracts-embedded.ts';
import { describeFeed } from './feed.contract.ts';

describeFeed('embedded', () => openProjections());
