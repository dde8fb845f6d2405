import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { connect } from '../support/http/client.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { cleanEnvironment, MAIN, ROOT, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { CONVERSATIONS, environmentOf, manyConversations, tokensIn, turnsOnTheLog } from './import.ts';

const acknowledgedIn = (dataDir: string): number => {
  const folder = join(dataDir, 'imports');
  const [name] = existsSync(folder) ? readdirSync(folder).filter(file => file.endsWith('.json')) : [];
  return name ? (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { requests: number }).requests : 0;
};

it('an import goes on after a kill -9 of the command and then of the server: nothing twice, nothing missing', async () => {
  let server = await startServer();
  const zip = await manyConversations();
  const dry = await runCommand(['import', zip, '--dry-run'], environmentOf(server));
  const cost = tokensIn(dry.stdout, /^tokens +([\d,]+)/m);
  expect(dry.stdout).toContain(`turns          ${(3 * CONVERSATIONS).toLocaleString('en-US')}`);

  const child = spawn(process.execPath, [MAIN, 'import', zip], {
    cwd: ROOT,
    env: { ...cleanEnvironment(), ...environmentOf(server) },
    stdio: 'ignore',
  });
  await until(
    '20 requests are acknowledged',
    () => acknowledgedIn(server.dataDir) >= 20 || child.exitCode !== null,
  );
  child.kill('SIGKILL');
  await once(child, 'exit');
  const afterFirst = acknowledgedIn(server.dataDir);
  expect(afterFirst).toBeGreaterThanOrEqual(20);
  expect(afterFirst).toBeLessThan(CONVERSATIONS);

  const second = runCommand(['import', zip], environmentOf(server));
  await until('20 more are acknowledged', () => acknowledgedIn(server.dataDir) >= afterFirst + 20);
  await server.kill();
  const broken = await second;
  expect(broken.stderr).toMatch(/resuming after \d+ turns that were stored before/);
  expect(broken.stderr).toContain('the same command resumes after');
  expect(broken.status).toBe(69);

  const { port } = new URL(server.url);
  server = await startServer({ dataDir: server.dataDir, environment: { TURNSTONE_PORT: port } });
  const third = await runCommand(['import', zip], environmentOf(server));
  expect(third.status).toBe(0);
  expect(third.stderr).toMatch(/resuming after/);
  expect((await (await connect(server)).today()).tokens_in).toBe(cost);
  expect(await turnsOnTheLog(server)).toBe(3 * CONVERSATIONS);
  await server.stop();
});
