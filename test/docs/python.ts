import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../support/processes/server.ts';

let made: string | undefined;

/**
 * The folder of the commands of an environment that is new to the first document: documents say what to
 * install, and what another has installed already is not fetched again.
 */
export const makeEnvironment = (): string => {
  if (made !== undefined) return made;
  const folder = join(temporaryFolder(), 'venv');
  execFileSync('python3', ['-m', 'venv', folder]);
  made = join(folder, 'bin');
  return made;
};
