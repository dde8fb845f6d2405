/** Asks a server's generations for what its command line does, and takes projections away. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Generation, ReplayMessage } from '../../../core/operator/replay-messages.ts';
import { type Ended, runCommand } from '../processes/command-line.ts';
import { cleanEnvironment, MAIN } from '../processes/server.ts';

const environmentOf = (dataDir: string): Record<string, string> => ({
  TURNSTONE_DATA_DIR: dataDir,
  TURNSTONE_LOG_LEVEL: 'error',
});

/** As a command of the folder: over the server's socket, or offline. */
export const operate = (dataDir: string, ...args: string[]): Promise<Ended> =>
  runCommand(args, environmentOf(dataDir));

export const generationsOf = async (dataDir: string): Promise<Generation[]> => {
  const { status, stdout, stderr } = await operate(dataDir, 'generations', '--json');
  if (status !== 0) throw new Error(`status ${status}: ${stderr}`);
  return JSON.parse(stdout);
};

/** Messages of a replay that ends well. */
export const replayed = async (dataDir: string, ...options: string[]): Promise<ReplayMessage[]> => {
  const { status, stdout, stderr } = await operate(dataDir, 'replay', 'all', '--json', ...options);
  if (status !== 0) throw new Error(`status ${status}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
};

/** Removes the projections of a folder that no server runs on. */
export const forgetProjections = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('projections')) rmSync(join(dataDir, name), { force: true });
  }
};

/** A command of the folder as a process of its own, to be killed in the middle. */
export const spawnServerless = (
  dataDir: string,
  ...args: string[]
): { stdout(): string; kill(): Promise<void> } => {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...cleanEnvironment(), ...environmentOf(dataDir) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  return {
    stdout: () => stdout,
    kill: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
};
