/** A program of an integration as a process of its own, as it is built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cleanEnvironment, ROOT } from '../support/processes/server.ts';

export interface Program {
  url: string;
  /** SIGTERM; resolves once it is gone. */
  stop(): Promise<{ status: number | null; stderr: string }>;
}

/** Starts a program that prints `ready on <url>`. */
export const startProgram = async (file: string, environment: Record<string, string>): Promise<Program> => {
  const child = spawn(process.execPath, [file], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...environment },
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const gone = once(child, 'exit');
  const url = await Promise.race([
    once(child.stdout.setEncoding('utf8'), 'data').then(([text]) => /ready on (\S+)/.exec(text)![1]!),
    gone.then(([status]) => Promise.reject(new Error(`ended with ${status}: ${stderr}`))),
  ]);
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM');
      const [status] = await gone;
      return { status, stderr };
    },
  };
};
