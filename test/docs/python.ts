import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { temporaryFolder } from '../support/processes/server.ts';

/** The folder of the commands of a new environment with nothing in it: documents say what to install. */
export const makeEnvironment = (): string => {
  const folder = join(temporaryFolder(), 'venv');
  execFileSync('python3', ['-m', 'venv', folder]);
  return join(folder, 'bin');
};
