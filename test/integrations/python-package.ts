/** An integration's Python package, installed with the real packages that it is for. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { makePythonEnvironment, type PythonEnvironment } from '../support/processes/python.ts';
import { cleanEnvironment, ROOT, type Server, temporaryFolder } from '../support/processes/server.ts';

const CLIENT = join(ROOT, 'clients/python');
const TESTS = join(ROOT, 'test/integrations/python');

export interface PythonPackage {
  /** Runs its tests, in `test/integrations/python/NAME`, on the server. Resolves to what pytest printed. */
  test(server: Server): Promise<string>;
  /** Checks types, lint and format of the package and its tests; rejects with what is found. */
  check(): Promise<void>;
  /** Starts its `chat.py`. */
  chat(server: Server): PythonChat;
}

export interface PythonChat {
  /** Resolves to what the model was told. */
  say(user: string, session: string, text: string): Promise<string>;
  stop(): Promise<void>;
}

const environmentOf = ({ url, apiKey }: Server): Record<string, string> => ({
  TURNSTONE_URL: url,
  TURNSTONE_API_KEY: apiKey,
  PYTHONDONTWRITEBYTECODE: '1',
  LANGSMITH_TRACING: 'false',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
});

const startChat = ({ python }: PythonEnvironment, folder: string, server: Server): PythonChat => {
  const env = { ...cleanEnvironment(), ...environmentOf(server) };
  const child = spawn(python, ['chat.py'], { cwd: folder, env });
  process.once('exit', () => child.kill('SIGKILL'));
  const stderr = text(child.stderr);
  const gone = once(child, 'exit');
  const told = createInterface(child.stdout)[Symbol.asyncIterator]();
  return {
    say: async (user, session, said) => {
      child.stdin.write(`${JSON.stringify({ user, session, text: said })}\n`);
      const { value, done } = await told.next();
      if (done) throw new Error(`the chat ended: ${await stderr}`);
      return JSON.parse(value);
    },
    stop: async () => {
      child.stdin.end();
      await gone;
    },
  };
};

/** Installs `integrations/NAME` in an environment of its own, with the versions of `pins.txt`. */
export const installPythonPackage = async (name: string): Promise<PythonPackage> => {
  const source = join(ROOT, 'integrations', name);
  const folder = join(TESTS, name);
  const pins = ['-c', join(TESTS, 'pins.txt')];
  const python = await makePythonEnvironment([...pins, CLIENT, source, 'pytest', 'mypy', 'ruff']);
  return {
    test: async server => {
      const args = ['-q', '--tb=short', '-p', 'no:cacheprovider'];
      return (await python.run('pytest', args, { cwd: folder, environment: environmentOf(server) })).stdout;
    },
    check: async () => {
      const strict = ['--strict', '--python-version', '3.10', '--cache-dir', temporaryFolder()];
      await python.run('mypy', [...strict, join(source, 'src')], { cwd: source });
      await python.run('mypy', [...strict, '.'], { cwd: folder });
      const files = ['--no-cache', '--config=pyproject.toml', source, folder];
      await python.run('ruff', ['check', ...files], { cwd: CLIENT });
      await python.run('ruff', ['format', '--check', ...files], { cwd: CLIENT });
    },
    chat: server => startChat(python, folder, server),
  };
};
