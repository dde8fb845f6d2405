import { describe } from 'vitest';
import { temporaryFolder } from '../support/server.ts';
import { unansweredCalls } from './unanswered.ts';

describe('calls without an answer', () => {
  unansweredCalls(async () => ({
    environment: {
      TURNSTONE_DATA_DIR: temporaryFolder(),
      TURNSTONE_QUOTA_TOKENS_IN: '0',
      TURNSTONE_QUOTA_TOKENS_OUT: '0',
    },
  }));
});
