/** Python for the suites of the Python client: which one there is, and environments of its own for each. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { type Ended, spawnProgram } from './command-line.ts';
import { temporaryFolder } from './server.ts';

const NEEDED = 'import sys, venv, ensurepip; sys.exit(0 if sys.version_info >= (3, 10) else 1)';

/** Why there is none; empty: `python3` is 3.10 or newer, and can make an environment. */
export const whyNoPython = (): string => {
  try {
    execFileSync('python3', ['-c', NEEDED], { stdio: 'ignore' });
    return '';
  } catch {
    return 'no python3 of 3.10 or newer with venv';
  }
};

/** A suite that needs Python: skipped where there is none, and a failure where CI says that there must be. */
export const describeWithPython = (name: string, body: () => void): void => {
  const reason = whyNoPython();
  if (reason && process.env.CI) throw new Error(`${name} can't run: ${reason}`);
  if (reason === '') describe(name, body);
  else describe.skip(name, () => it(`needs Python: ${reason}`, () => {}));
};

export interface PythonEnvironment {
  /** Its interpreter. */
  python: string;
  /** Runs a program of the environment; rejects with all that it printed when it fails. */
  run(
    program: string,
    args: string[],
    options?: { cwd?: string; environment?: Record<string, string> },
  ): Promise<Ended>;
}

/** Longer than a slow network takes for the packages. */
const WITHIN_MS = 240_000;

/**
 * An empty environment in a temporary folder, with these requirements installed, as `pip install` takes them.
 */
export const makePythonEnvironment = async (requirements: string[]): Promise<PythonEnvironment> => {
  const folder = join(temporaryFolder(), 'venv');
  execFileSync('python3', ['-m', 'venv', folder]);
  const run: PythonEnvironment['run'] = async (program, args, { cwd, environment = {} } = {}) => {
    const file = join(folder, 'bin', program);
    if (!existsSync(file)) throw new Error(`the environment has no ${program}`);
    const ended = await spawnProgram(file, args, {
      ...(cwd && { cwd }),
      // Nothing is to be left in the folders of the sources.
      environment: { ...environment, PYTHONDONTWRITEBYTECODE: '1' },
      within: WITHIN_MS,
    });
    if (ended.status === 0) return ended;
    throw new Error(
      `${program} ${args.join(' ')} ended with ${ended.status}\n${ended.stdout}${ended.stderr}`,
    );
  };
  await run('pip', ['install', '--quiet', '--disable-pip-version-check', ...requirements]);
  return { python: join(folder, 'bin', 'python'), run };
};
