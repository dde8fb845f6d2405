import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeConfig } from '../../services/config.ts';
import { spawnProgram } from '../support/command-line.ts';
import { ROOT, type Server, startServer } from '../support/server.ts';

/**
 * Everything that the README tells a user to type works, and answers what the README shows. With `UPDATE_README`
 * set, what the commands print now is written into it.
 */
const README_FILE = join(ROOT, 'README.md');
const README = readFileSync(README_FILE, 'utf8');
const CI = readFileSync(join(ROOT, '.ci/run'), 'utf8');

const blocks = (language: string): string[] =>
  [...README.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, body]) => body!,
  );

/** A console block: commands after `$ `, each with the output that follows it. */
const transcript = blocks('console').flatMap(block =>
  block
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output: output.join('\n') };
    }),
);

/** What differs from run to run: times, ids, rates, tokens. The words around them must not. */
const masked = (text: string): string =>
  text
    .replace(/\b([a-z]{3})_[0-9a-f]{16,}/g, '$1_…')
    .replace(/\d[\d,.]*/g, '#')
    .replace(/[ \t]+/g, ' ')
    .trim();

/** The README with what its commands have just printed. */
const updated = (outputs: string[]): string => {
  let next = 0;
  return README.replace(/^```console\n[\s\S]*?^```$/gm, block => {
    const commands = block.match(/^\$ .*$/gm) ?? [];
    const lines = commands.map(command => `${command}\n${outputs[next++]}`.trimEnd());
    return ['```console', ...lines, '```'].join('\n');
  });
};

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
    // Compose pulls official images: test/unit/support/find-engines.test.ts reads its file.
    for (const command of commands.filter(one => one !== 'npm start' && !one.startsWith('docker '))) {
      const [file] = /(?<=-- )\S+$/.exec(command) ?? [];
      const inScript =
        file && CI.includes(`dataset=${file}\n`) ? command.replace(file, '"$dataset"') : command;
      expect(CI).toContain(inScript);
    }
  });

  it('shows what its commands print', async () => {
    expect(transcript.length).toBeGreaterThan(4);
    const MARK = '\u0001';
    const script = transcript
      .map(({ command }) => command)
      .map(command =>
        command
          .replaceAll('http://127.0.0.1:8080', server.url)
          .replaceAll('data/api-key', join(server.dataDir, 'api-key')),
      )
      .map(command => `${command}\nprintf '${MARK}'`)
      .join('\n');
    const { stdout, stderr } = await spawnProgram('bash', ['-e', '-c', script], {
      environment: { TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir },
      within: 120_000,
    });
    const outputs = stdout.split(MARK).slice(0, -1);
    expect(stderr).toBe('');
    if (process.env.UPDATE_README) {
      writeFileSync(README_FILE, updated(outputs));
      return;
    }
    expect(outputs.map(masked)).toEqual(transcript.map(({ output }) => masked(output)));
  });

  it('lists every variable with its default', () => {
    const rows = [...README.matchAll(/^\| `(TURNSTONE_\w+)` *\| (?:`(.*?)`|–) *\|/gm)].map(
      ([, name, text = '']) => [name, text],
    );
    expect(rows).toEqual(describeConfig({}).map(({ name, text }) => [name, text]));
  });

  it('stops with npm', async () => {
    expect(await server.stop()).toBe(0);
  });
});
