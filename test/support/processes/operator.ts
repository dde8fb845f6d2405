import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pause } from '../wait.ts';
import type { Cluster } from './cluster.ts';
import { cleanEnvironment, ROOT } from './server.ts';

export type Message = { kind?: string } & Record<string, unknown>;

export interface Asked {
  messages: Message[];
  child: ChildProcess;
  /** All that it said, once it has ended. */
  done: Promise<Message[]>;
  /** Resolves with the first message of which it is true; rejects when the command ends without one. */
  until(is: (message: Message) => boolean): Promise<Message>;
  kill(): Promise<void>;
}

/** Runs an operator's call on the engines of a cluster, in a process of its own. */
export const ask = (cluster: Cluster, name: string, args: object = {}): Asked => {
  const file = new URL('./operator-process.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [file, name, JSON.stringify(args)], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...cluster.environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killAtEnd = (): void => void child.kill('SIGKILL');
  process.once('exit', killAtEnd);
  const messages: Message[] = [];
  createInterface({ input: child.stdout! }).on('line', line => messages.push(JSON.parse(line)));
  const done = once(child, 'close').then(() => {
    process.off('exit', killAtEnd);
    return messages;
  });
  let ended = false;
  void done.then(() => {
    ended = true;
  });
  return {
    messages,
    child,
    done,
    until: async is => {
      for (;;) {
        const found = messages.find(is);
        if (found) return found;
        if (ended) throw new Error(`the call ended: ${JSON.stringify(messages.slice(-3))}`);
        await pause(20);
      }
    },
    kill: async () => {
      child.kill('SIGKILL');
      await done;
    },
  };
};
