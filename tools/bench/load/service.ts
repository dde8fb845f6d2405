/** Starts the measured processes: the real service, and the floor beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { accessToken } from '../../../test/support/http/client.ts';
import { MAIN, startServer } from '../../../test/support/processes/server.ts';

export interface Measured {
  url: string;
  /** Token of the organization `local`; empty for the floor, which needs none. */
  token: string;
  pid: number;
  /** The data folder; the floor doesn't report one. */
  dataDir?: string;
  /** Milliseconds from the start of the process until it reports that it is ready. */
  readyMs: number;
  stop(): Promise<unknown>;
}

export interface ServiceOptions {
  dataDir?: string;
  /** A folder for one V8 CPU profile per thread, written when it stops. */
  profile?: string;
  /** Entry point in another source tree; default: this one's. */
  main?: string;
}

export const startService = async ({
  dataDir,
  profile,
  main = MAIN,
}: ServiceOptions = {}): Promise<Measured> => {
  const started = performance.now();
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const server = await startServer({
    dataDir,
    command: [process.execPath, ...profiling, main, 'serve'],
    environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
  });
  const readyMs = performance.now() - started;
  const token = await accessToken(server.url, server.apiKey);
  const { url } = server;
  return {
    url,
    token,
    pid: server.child.pid!,
    dataDir: server.dataDir,
    readyMs,
    stop: () => server.stop(),
  };
};

export const startFloor = async (
  script = new URL('../measure/floor.ts', import.meta.url),
  environment: Record<string, string> = {},
): Promise<Measured> => {
  const started = performance.now();
  const child: ChildProcess = spawn(process.execPath, [fileURLToPath(script)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const gone = once(child, 'exit').then(() => process.off('exit', kill));
  const url = await Promise.race([
    gone.then(() => {
      throw new Error('the floor ended before it was ready');
    }),
    (async () => {
      let said = '';
      for await (const chunk of child.stdout!.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
        said += chunk;
        const ready = /ready on (\S+)\n/.exec(said);
        if (ready) return ready[1]!;
      }
      throw new Error('the floor closed its output');
    })(),
  ]);
  return {
    url,
    token: '',
    pid: child.pid!,
    readyMs: performance.now() - started,
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
  };
};
