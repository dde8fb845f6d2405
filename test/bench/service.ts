/** Starts what is measured as processes of their own: the real service, and the floor beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { accessToken } from '../support/client.ts';
import { MAIN, startServer } from '../support/server.ts';

export interface Measured {
  url: string;
  /** Of the organization `local`; empty for the floor, which asks for none. */
  token: string;
  pid: number;
  /** Where it stores; the floor tells nothing of it. */
  dataDir?: string;
  /** Milliseconds from the start of the process to its word that it is ready. */
  readyMs: number;
  stop(): Promise<unknown>;
}

export interface ServiceOptions {
  dataDir?: string;
  /** A folder for one V8 CPU profile a thread, written when it stops. */
  profile?: string;
  /** Of another source tree; default: of this one. */
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
  script = new URL('./floor.ts', import.meta.url),
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
