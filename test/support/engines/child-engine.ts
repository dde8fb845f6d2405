/** A server that a test starts for itself, and ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export interface ChildEngine {
  child: ChildProcess;
  output(): string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

export const startChild = (file: string, args: readonly string[], cwd: string): ChildEngine => {
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const killAtEnd = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtEnd);
  let output = '';
  const keep = (chunk: Buffer): void => {
    output = (output + chunk).slice(-20_000);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const gone = once(child, 'exit').catch(() => {});
  return {
    child,
    output: () => output,
    kill: async () => {
      process.off('exit', killAtEnd);
      child.kill('SIGKILL');
      await gone;
    },
  };
};

/** Ports that nobody listened on a moment ago. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map(server => once(server, 'listening')));
  const ports = servers.map(server => (server.address() as AddressInfo).port);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
};
