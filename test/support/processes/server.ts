/** The real service as a process of its own, for tests that look at it from outside. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * By default. Below the tests' own limit, so that the server's output is told and not only that time ran out.
 */
const READY_WITHIN_MS = 100_000;
const READY = /is ready on (http:\/\/\S+)/;

export interface Server {
  url: string;
  /** The key of the organization `local`; empty in the mode cluster. */
  apiKey: string;
  dataDir: string;
  child: ChildProcess;
  /** All that it wrote so far. */
  stdout(): string;
  stderr(): string;
  /** SIGTERM; resolves with the exit status once it is gone. */
  stop(): Promise<number | null>;
  /** SIGKILL; resolves once it is gone. */
  kill(): Promise<void>;
}

export interface ServerOptions {
  /** `TURNSTONE_…` variables beside those that this sets itself. */
  environment?: Record<string, string>;
  /** The folder of an earlier server; it is then not removed at the end. Default: a new temporary folder. */
  dataDir?: string;
  /** The command that starts it. Default: this Node and the sources. */
  command?: [file: string, ...args: string[]];
  cwd?: string;
  readyWithinMs?: number;
  /** Called before it is ready, for tests that end it before. */
  spawned?: (child: ChildProcess) => void;
}

export const ROOT = new URL('../../../', import.meta.url).pathname;
export const MAIN = join(ROOT, 'services/main.ts');
const END_WITH_PARENT = new URL('./end-with-parent.ts', import.meta.url).href;

/**
 * This process's environment without its `TURNSTONE_…` and `OTEL_…` variables, so that a developer's don't
 * reach a test.
 */
export const cleanEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(TURNSTONE|OTEL)_/.test(name)));

const temporaryFolders: string[] = [];
process.once('exit', () => {
  for (const folder of temporaryFolders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder of its own, removed when this process ends. */
export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'turnstone-'));
  temporaryFolders.push(folder);
  return folder;
};

const endGroup = (leader: number): void => {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // All of it is gone already.
  }
};

/** Starts a server on a free port; resolves when it is ready, and rejects with its output when it isn't. */
export const startServer = async (options: ServerOptions = {}): Promise<Server> => {
  const dataDir = options.dataDir ?? temporaryFolder();
  const { readyWithinMs = READY_WITHIN_MS } = options;
  const [file, ...args] = options.command ?? [process.execPath, '--import', END_WITH_PARENT, MAIN, 'serve'];
  const child = spawn(file, args, {
    cwd: options.cwd ?? ROOT,
    env: {
      ...cleanEnvironment(),
      // As `npm start` and the image have it.
      MALLOC_ARENA_MAX: '2',
      MALLOC_MMAP_THRESHOLD_: '262144',
      TURNSTONE_PORT: '0',
      TURNSTONE_DATA_DIR: dataDir,
      TURNSTONE_LOG_LEVEL: 'warn',
      ...options.environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    // A command like npm has the server as a grandchild: a group of their own is ended whole.
    detached: options.command !== undefined,
  });
  options.spawned?.(child);
  const killChild = (): void => {
    if (options.command === undefined) child.kill('SIGKILL');
    else if (child.pid !== undefined) endGroup(child.pid);
  };
  process.once('exit', killChild);
  const gone = once(child, 'exit').then(([code]) => {
    killChild();
    process.off('exit', killChild);
    return code as number | null;
  });

  let stdout = '';
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const url = await new Promise<string>((resolve, reject) => {
    const fail = (why: string): void => {
      killChild();
      reject(new Error(`${why}\n${stdout}${stderr}`));
    };
    const late = setTimeout(() => fail(`not ready within ${readyWithinMs} ms`), readyWithinMs);
    child.on('error', reject);
    child.on('close', code => {
      clearTimeout(late);
      fail(`ended with status ${code} before it was ready`);
    });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      const ready = READY.exec(stdout);
      if (!ready) return;
      clearTimeout(late);
      resolve(ready[1]!);
    });
  });

  const keyFile = join(dataDir, 'api-key');
  return {
    url,
    apiKey: existsSync(keyFile) ? readFileSync(keyFile, 'utf8').trim() : '',
    dataDir,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    stop: () => {
      child.kill('SIGTERM');
      return gone;
    },
    kill: async () => {
      killChild();
      await gone;
    },
  };
};
