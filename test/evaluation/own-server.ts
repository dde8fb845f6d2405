import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface OwnServer {
  baseUrl: string;
  apiKey: string;
  stop(): Promise<void>;
}

const START_TIMEOUT = 60_000;

/** Starts the service with an empty data folder, no caps and any free port; its folder goes when it stops. */
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
  const stop = async () => {
    child.kill('SIGTERM');
    const killer = setTimeout(() => child.kill('SIGKILL'), 10_000);
    await exited;
    clearTimeout(killer);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await announced(child)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** Reads stdout until it has said where it listens and what its key is; goes on reading, so that the pipe never fills. */
const announced = (child: ChildProcess): Promise<{ baseUrl: string; apiKey: string }> =>
  new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => reject(new Error('the service did not start in time')), START_TIMEOUT);
    child.once('exit', code => reject(new Error(`the service ended with status ${code}`)));
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
