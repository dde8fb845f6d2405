/** The commands and waits of an operator, beside a service on a folder whose clock the test holds. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import type { HeldClock } from '../support/processes/clock.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { until } from '../support/wait.ts';

export const operate = async (clock: HeldClock, dataDir: string, ...args: string[]): Promise<void> => {
  const { status, stdout, stderr } = await runCommand(args, {
    ...clock.commandEnvironment(),
    TURNSTONE_DATA_DIR: dataDir,
  });
  expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
};

/** Longer than the service leaves between two sweeps, and to answers that have begun. */
const A_SWEEP_MS = 60_000;

/** Passes time on until no file holds words of what has expired. */
export const swept = (clock: HeldClock, dataDir: string): Promise<void> => {
  clock.advance(A_SWEEP_MS);
  return until(
    'what has expired is swept',
    async () => {
      const files = readdirSync(dataDir).filter(name => /^projections.*\.db$/.test(name));
      expect(files).not.toEqual([]);
      return files.every(name => {
        const file = new DatabaseSync(join(dataDir, name), { readOnly: true });
        const { n } = file
          .prepare(
            `SELECT (SELECT count(*) FROM fragments WHERE kind < 2 AND expires <= ?1)
         + (SELECT count(*) FROM mentions WHERE expires <= ?1) AS n`,
          )
          .get(clock.now())!;
        file.close();
        return n === 0;
      });
    },
    60_000,
  );
};
