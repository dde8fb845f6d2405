import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT, failure } from '../../services/surfaces/client/exit.ts';

export interface OwnServer {
  baseUrl: string;
  apiKey: string;
  stop(): Promise<void>;
}

const START_TIMEOUT = 60_000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Starts the service with an empty data folder, no caps and any free port. Its folder, which holds people's
 * words, is removed when it stops, and also when this process is interrupted.
 */
export const startOwnServer = async (): Promise<OwnServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'turnstone-evaluation-'));
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const child = spawn(process.execPath, ['services/main.ts', 'serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TURNSTONE_MODE: 'embedded',
      TURNSTONE_DATA_DIR: folder,
      TURNSTONE_HOST: '127.0.0.1',
      TURNSTONE_PORT: '0',
      TURNSTONE_QUOTA_TOKENS_IN: '0',
      TURNSTONE_QUOTA_TOKENS_OUT: '0',
      TURNSTONE_LOG_LEVEL: process.env.TURNSTONE_LOG_LEVEL ?? 'warn',
    },
  });
  const exited = new Promise<void>(resolve => child.once('exit', () => resolve()));
  const interrupted = (): void => {
    child.kill('SIGKILL');
    exited.then(() => {
      rmSync(folder, { recursive: true, force: true });
      process.exit(130);
    });
  };
  for (const signal of SIGNALS) process.once(signal, interrupted);
  const stop = async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(killer);
    rmSync(folder, { recursive: true, force: true });
    for (const signal of SIGNALS) process.off(signal, interrupted);
  };
  try {
    return { ...(await announced(child)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Reads stdout until it has the address and the key; goes on reading, so that the pipe never fills. */
const announced = (child: ChildProcess): Promise<{ baseUrl: string; apiKey: string }> =>
  new Promise((resolve, reject) => {
    let said = '';
    const fail = (why: string): void => reject(failure(EXIT.failure, why));
    const timer = setTimeout(() => fail('the service did not start in time'), START_TIMEOUT);
    child.once('exit', code => fail(`the service ended with status ${code}`));
    child.stdout!.setEncoding('utf8');
    child.stdout!.on('data', (chunk: string) => {
      if (said.length > 1_000_000) return;
      said += chunk;
      const baseUrl = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
      const apiKey = /API key: (\S+)/.exec(said)?.[1];
      if (baseUrl && apiKey) {
        clearTimeout(timer);
        resolve({ baseUrl, apiKey });
      }
    });
  });
