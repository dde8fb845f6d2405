import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLogDatabase } from '../../../../../infra/embedded/log/log-database.ts';
import { temporaryFolder } from '../../../../support/processes/server.ts';

/**
 * Invariant 1. Switched off by hand: NORMAL in place of FULL → expected { synchronous: 1 } to equal 2. No
 * killed process shows it: what the system holds survives that, and not a power cut.
 */
it('syncs every commit before it returns, in a log that is appended to', () => {
  const database = createLogDatabase(join(temporaryFolder(), 'log.db'));
  expect(database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
  database.close();
});
