import { mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fixtureFiles, zipFile } from '../support/files/exports.ts';
import { spawnProgram } from '../support/processes/command-line.ts';
import { MAIN, ROOT, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';

/**
 * docs/guides/importing.md shows what its commands print. With `UPDATE_DOCS` set, what they print now is
 * written into it.
 */
const FILE = join(ROOT, 'docs/guides/importing.md');
const GUIDE = readFileSync(FILE, 'utf8');

const BLOCK = /^```console\n([\s\S]*?)^```$/gm;

const transcript = [...GUIDE.matchAll(BLOCK)].flatMap(([, block]) =>
  block!
    .split(/^\$ /m)
    .slice(1)
    .map(part => {
      const [command = '', ...output] = part.trimEnd().split('\n');
      return { command, output: output.join('\n') };
    }),
);

/** How long it took differs from run to run, and the last digits of a score on another machine. */
const masked = (text: string): string =>
  text.replace(/\d+\.\d+ s\./g, '# s.').replace(/(score|confidence) \d\.\d+/g, '$1 #');

let server: Server;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const folderOfDownloads = async (): Promise<string> => {
  const folder = mkdtempSync(join(temporaryFolder(), 'downloads-'));
  const chatgpt = fixtureFiles('chatgpt');
  // The other file of the fixture has conversations that are broken.
  delete chatgpt['conversations-001.json'];
  const files = {
    'chatgpt.zip': chatgpt,
    'claude.zip': fixtureFiles('claude'),
    'slack.zip': fixtureFiles('slack'),
    'WhatsApp Chat - Family.zip': fixtureFiles('whatsapp'),
  };
  for (const [name, content] of Object.entries(files))
    renameSync(await zipFile(name, content), join(folder, name));
  return folder;
};

it('shows what its commands print', async () => {
  expect(transcript.length).toBeGreaterThan(6);
  const outputs: string[] = [];
  const cwd = await folderOfDownloads();
  for (const { command } of transcript) {
    const script = `turnstone() { '${process.execPath}' '${MAIN}' "$@"; }\n${command}`;
    const { status, stdout, stderr } = await spawnProgram('bash', ['-e', '-c', script], {
      cwd,
      environment: { TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir },
    });
    // A message of the fixture has no time: it is told, and the status is 1.
    expect([command, status, stderr]).toEqual([
      command,
      command.includes('slack') ? 1 : 0,
      command.includes('slack') ? expect.stringContaining('general/2026-03-02.json, message 10') : '',
    ]);
    outputs.push(stdout.trimEnd());
  }
  if (process.env.UPDATE_DOCS) {
    let next = 0;
    const updated = GUIDE.replace(BLOCK, block => {
      const commands = block.match(/^\$ .*$/gm) ?? [];
      return ['```console', ...commands.map(command => `${command}\n${outputs[next++]}`), '```'].join('\n');
    });
    writeFileSync(FILE, updated);
    return;
  }
  expect(outputs.map(masked)).toEqual(transcript.map(({ output }) => masked(output)));
});
