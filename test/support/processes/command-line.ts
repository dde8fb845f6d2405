/** Runs command lines, in this process or as one of their own, and collects what they print. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { composition } from '../../../services/compose/compose.ts';
import { run } from '../../../services/surfaces/cli/cli.ts';
import { cleanEnvironment, MAIN, ROOT } from './server.ts';

export interface Ended {
  status: number;
  stdout: string;
  stderr: string;
}

const collected = (): { stream: PassThrough; text: () => string } => {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return { stream, text: () => text };
};

/** In this process: quick, and with an environment of its own. */
export const runCommand = async (
  args: string[],
  environment: Record<string, string> = {},
  stdin: string | Buffer = '',
): Promise<Ended> => {
  const stdout = collected();
  const stderr = collected();
  const status = await run(args, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment: { NODE_ENV: 'test', ...environment },
    composition,
  });
  return { status, stdout: stdout.text(), stderr: stderr.text() };
};

/** Runs a command line as a process of its own, from the sources. */
export const spawnCommand = (
  args: string[],
  environment: Record<string, string>,
  stdin = '',
): Promise<Ended> => spawnProgram(process.execPath, [MAIN, ...args], { environment, stdin, within: 180_000 });

export interface ProgramOptions {
  environment?: Record<string, string>;
  cwd?: string;
  stdin?: string;
  /** Milliseconds; then it is killed and the promise rejects. */
  within?: number;
}

/** Runs a program to its end and collects what it prints. */
export const spawnProgram = async (
  file: string,
  args: string[],
  options: ProgramOptions = {},
): Promise<Ended> => {
  const { environment = {}, cwd = ROOT, stdin = '', within = 60_000 } = options;
  const child = spawn(file, args, { cwd, env: { ...cleanEnvironment(), ...environment }, timeout: within });
  const [stdout, stderr, [status, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
    pipeline(Readable.from([stdin]), child.stdin).catch(() => {
      // It ended without reading all: its exit status says why.
    }),
  ]);
  if (signal) throw new Error(`${file} ${args.join(' ')} was ended by ${signal}\n${stdout}${stderr}`);
  return { status, stdout, stderr };
};
