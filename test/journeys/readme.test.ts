import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blocksOf, masked, runSteps, stepsOf, updated } from '../support/files/documents.ts';
import { ROOT, type Server, startServer } from '../support/processes/server.ts';

/**
 * Everything that the README tells a user to type works, and answers what the README shows. With
 * `UPDATE_README` set, what the commands print now is written into it.
 */
const README_FILE = join(ROOT, 'README.md');
const README = readFileSync(README_FILE, 'utf8');
const CI = ['run', 'lib.sh'].map(name => readFileSync(join(ROOT, `.ci/${name}`), 'utf8')).join('\n');

const BLOCKS = blocksOf('README.md');
const blocks = (language: string): string[] =>
  BLOCKS.filter(block => block.language === language).map(({ text }) => text);
const transcript = BLOCKS.filter(({ language }) => language === 'console').flatMap(stepsOf);

describe('the README', () => {
  let server: Server;
  beforeAll(async () => {
    // The first of its two commands; `npm ci` has run, or this test could not.
    server = await startServer({ command: ['npm', 'start'] });
  });
  afterAll(() => server.stop());

  it('has no command that neither this test nor .ci/run runs', () => {
    const commands = blocks('sh').flatMap(block => block.trim().split(/\n| && /));
    expect(commands).toContain('npm start');
    // Compose pulls official images: test/unit/support/find-engines.test.ts reads its file, and
    // test/unit/infra/compose.test.ts runs the script of its passwords.
    const ELSEWHERE = ['npm start', 'infra/compose-passwords.sh'];
    for (const command of commands.filter(one => !ELSEWHERE.includes(one) && !one.startsWith('docker '))) {
      const [file] = /(?<=-- )\S+$/.exec(command) ?? [];
      const inScript =
        file && CI.includes(`dataset=${file}\n`) ? command.replace(file, '"$dataset"') : command;
      expect(CI).toContain(inScript);
    }
  });

  it('shows what its commands print', async () => {
    expect(transcript.length).toBeGreaterThan(4);
    const steps = transcript.map(({ command }) => ({
      command: command
        .replaceAll('http://127.0.0.1:8080', server.url)
        .replaceAll('data/api-key', join(server.dataDir, 'api-key')),
    }));
    const outcomes = await runSteps(steps, {
      cwd: ROOT,
      environment: { TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir },
      within: 120_000,
    });
    expect(outcomes.map(({ status }) => status)).toEqual(steps.map(() => 0));
    if (process.env.UPDATE_README) {
      writeFileSync(
        README_FILE,
        updated(
          README,
          outcomes.map(({ output }) => output),
        ),
      );
      return;
    }
    expect(outcomes.map(({ output }) => masked(output))).toEqual(
      transcript.map(({ output = '' }) => masked(output)),
    );
  });

  it('stops with npm', async () => {
    expect(await server.stop()).toBe(0);
  });
});
