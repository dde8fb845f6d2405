import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openCheckpoints } from '../../../../../../../infra/embedded/index/file/checkpoints.ts';
import { createProjectionsDatabase } from '../../../../../../../infra/embedded/index/file/create-database.ts';
import { makePurge } from '../../../../../../../infra/embedded/index/write/removal/purge.ts';
import { temporaryFolder } from '../../../../../../support/processes/server.ts';
import { pause } from '../../../../../../support/wait.ts';

/** Seen to end the projector's thread: the timer's error was nobody's. */
it('survives an error of the disk when it truncates later', async () => {
  const path = join(temporaryFolder(), 'projections-1.db');
  const database = createProjectionsDatabase(path);
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec('BEGIN');
  reader.prepare('SELECT * FROM meta').all();
  database.exec(`INSERT INTO meta VALUES ('some', 'row')`);
  const faults: unknown[] = [];
  const onFault = (error: unknown): void => void faults.push(error);
  process.on('uncaughtException', onFault);
  const purge = makePurge(database, openCheckpoints(database));
  await purge.now();
  // Any statement fails now, as with a failing disk.
  database.close();
  await pause(1_200);
  // The erasure's commit is over by now: a truncation that fails must not make it look as if it had failed.
  await expect(purge.now()).resolves.toBeUndefined();
  purge.stop();
  process.off('uncaughtException', onFault);
  reader.close();
  expect(faults).toEqual([]);
});

/**
 * Each of the steps of an erasure waited for a second: behind one slow reader it was answered 503, however
 * often it was repeated.
 */
it('waits for a reader once, not again for each of the erasures that follow', async () => {
  const database = createProjectionsDatabase(join(temporaryFolder(), 'projections-1.db'));
  let tries = 0;
  let isRead = true;
  const purge = makePurge(database, {
    now: () => {
      tries++;
      return !isRead;
    },
  });
  await purge.now();
  expect(tries).toBeGreaterThan(1);
  const first = tries;
  for (let next = 1; next <= 8; next++) {
    await purge.now();
    expect(tries).toBe(first + next);
  }
  // The purges after that reader wait for the next one.
  isRead = false;
  await purge.now();
  isRead = true;
  tries = 0;
  await purge.now();
  expect(tries).toBeGreaterThan(1);
  purge.stop();
  database.close();
});
