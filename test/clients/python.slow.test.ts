/** The Python client: its own tests, types and lint; and the wheel as it would be published. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import {
  describeWithPython,
  makePythonEnvironment,
  type PythonEnvironment,
} from '../support/processes/python.ts';
import { ROOT, startServer, temporaryFolder } from '../support/processes/server.ts';

const CLIENT = join(ROOT, 'clients/python');

const SMOKE = `
from turnstone_client import Turnstone

with Turnstone(user="ada") as turnstone:
    turnstone.remember({"role": "user", "text": "I moved to Lyon.", "timestamp": "2026-01-05T09:30:00Z"})
    print(turnstone.recall("Where does Ada live?", kinds=["turn"]).hits.turns[0].text)
`;

describeWithPython('the Python client', () => {
  let python: PythonEnvironment;
  beforeAll(async () => {
    python = await makePythonEnvironment([`${CLIENT}[dev]`]);
  });

  it('passes its own tests', async () => {
    const { stdout } = await python.run('pytest', ['-q', '--tb=short'], { cwd: CLIENT });
    console.log(stdout.trim());
    expect(stdout).toMatch(/\d+ passed in/);
    expect(stdout).not.toMatch(/skipped|failed|error/i);
  });

  it('is typed, linted and formatted', async () => {
    const cache = temporaryFolder();
    await python.run('mypy', ['--cache-dir', cache], { cwd: CLIENT });
    const files = ['--no-cache', '--config=pyproject.toml', '.', '../../examples/langchain'];
    await python.run('ruff', ['check', ...files], { cwd: CLIENT });
    await python.run('ruff', ['format', '--check', ...files], { cwd: CLIENT });
  });

  it('builds a wheel and a source archive, of which each works in an empty environment', {
    timeout: 240_000,
  }, async () => {
    const built = join(temporaryFolder(), 'built');
    mkdirSync(built);
    await python.run('python', ['-m', 'hatchling', 'build', '-d', built], { cwd: CLIENT });
    const names = readdirSync(built).sort();
    expect(names).toEqual(['turnstone_client-0.1.0-py3-none-any.whl', 'turnstone_client-0.1.0.tar.gz']);
    const server = await startServer();
    try {
      for (const name of names) {
        const empty = await makePythonEnvironment([join(built, name)]);
        const { stdout } = await empty.run('python', ['-W', 'error', '-c', SMOKE], {
          cwd: built,
          environment: { TURNSTONE_URL: server.url, TURNSTONE_API_KEY: server.apiKey },
        });
        expect(stdout.trim()).toBe('[2026-01-05] [user] I moved to Lyon.');
      }
    } finally {
      await server.stop();
    }
  });
});
