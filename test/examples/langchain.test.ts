/** The LangChain example, with the requirements that it names, on a real service. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeWithPython, makePythonEnvironment } from '../support/processes/python.ts';
import { ROOT, startServer } from '../support/processes/server.ts';

const EXAMPLE = join(ROOT, 'examples/langchain');

describeWithPython('examples/langchain', () => {
  it('retrieves, and answers in a chain', async () => {
    const packages = [join(ROOT, 'clients/python'), join(ROOT, 'integrations/langchain')];
    const python = await makePythonEnvironment([
      ...packages,
      '-r',
      join(EXAMPLE, 'requirements.txt'),
      'pytest',
    ]);
    const server = await startServer();
    try {
      const { stdout } = await python.run('pytest', ['-q', '-p', 'no:cacheprovider'], {
        cwd: EXAMPLE,
        environment: {
          TURNSTONE_URL: server.url,
          TURNSTONE_API_KEY: server.apiKey,
          LANGSMITH_TRACING: 'false',
        },
      });
      expect(stdout).toMatch(/2 passed in/);
    } finally {
      await server.stop();
    }
  });
});
