/** Starts what is measured as processes of their own: the real service, and the floor beside it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MAIN, startServer } from '../support/server.ts';

export interface Measured {
  url: string;
  /** Of the organization `local`; empty for the floor, which asks for none. */
  token: string;
  pid: number;
  /** Milliseconds from the start of the process to its word that it is ready. */
  readyMs: number;
  stop(): Promise<unknown>;
}

export interface ServiceOptions {
  dataDir?: string;
  /** A folder for one V8 CPU profile a thread, written when it stops. */
  profile?: string;
}

export const startService = async ({ dataDir, profile }: ServiceOptions = {}): Promise<Measured> => {
  const started = performance.now();
  const profiling = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const server = await startServer({
    dataDir,
    command: [process.execPath, ...profiling, MAIN, 'serve'],
    environment: { TURNSTONE_QUOTA_TOKENS_IN: '0', TURNSTONE_QUOTA_TOKENS_OUT: '0' },
  });
  const readyMs = performance.now() - started;
  const response = await fetch(`${server.url}/auth/token-exchange`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ api_key: server.apiKey }),
  });
  if (!response.ok) throw new Error(`the token exchange failed with ${response.status}`);
  const { access_token } = (await response.json()) as { access_token: string };
  return { url: server.url, token: access_token, pid: server.child.pid!, readyMs, stop: () => server.stop() };
};

export const startFloor = async (): Promise<Measured> => {
  const started = performance.now();
  const child: ChildProcess = spawn(
    process.execPath,
    [fileURLToPath(new URL('./floor.ts', import.meta.url))],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
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
