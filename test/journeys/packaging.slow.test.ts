import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { addressOf, assetFiles, pageFiles } from '../../services/surfaces/http/docs/files.ts';
import { callerOver } from '../support/http/mcp.ts';
import { spawnProgram } from '../support/processes/command-line.ts';
import { ROOT, startServer, temporaryFolder } from '../support/processes/server.ts';

const tarballIn = (folder: string): string => readdirSync(folder).find(name => name.endsWith('.tgz'))!;
const digestOf = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(join(folder, tarballIn(folder))))
    .digest('hex');

/** Files of the working tree that differ from the last commit, new ones too. */
const changedFiles = (): string[] =>
  execFileSync('git', ['status', '--porcelain', '--untracked-files=all', '-z'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
    .split('\0')
    .filter(line => /^[ AM][ AM] |^\?\? /.test(line))
    .map(line => line.slice(3));
const copyInto = (folder: string, file: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  cpSync(join(ROOT, file), join(folder, file));
};

/** A bill of materials, of which is read what is tested here. */
interface Bill {
  bomFormat: string;
  components: {
    name: string;
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  }[];
}
const FREE = /\b(?:MIT|Apache-2\.0|BSD-[23]-Clause|0BSD|ISC|BlueOak-1\.0\.0|Unlicense|CC0-1\.0)\b/;
const DEV_ONLY = ['vitest', 'typescript', 'vite', 'testcontainers', 'react'];

/** The package as it would be published: packed, installed in an empty folder, and run from there. */
describe('the package', () => {
  const folder = temporaryFolder();
  const bin = join(folder, 'node_modules/.bin/turnstone');
  const main = join(folder, 'node_modules/turnstone/dist/services/main.js');
  // The bin is a script for `env node`: it gets the Node that these tests run on.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`;

  const npm = async (args: string[], cwd?: string): Promise<string> => {
    const ended = await spawnProgram('npm', args, { cwd, within: 180_000, environment: { PATH } });
    if (ended.status !== 0) throw new Error(`npm ${args[0]} ended with ${ended.status}\n${ended.stderr}`);
    return ended.stdout;
  };

  beforeAll(async () => {
    await npm(['pack', '--pack-destination', folder]);
    await npm(['init', '--yes'], folder);
    await npm(['install', `./${tarballIn(folder)}`, '--prefer-offline', '--no-audit', '--no-fund'], folder);
  });

  it('holds JavaScript, its data and its papers, and neither sources nor tests', () => {
    const files = readdirSync(join(folder, 'node_modules/turnstone'), { recursive: true }) as string[];
    for (const file of ['LICENSE', 'NOTICE', 'README.md', 'dist/domain/language/vectors/static-vectors.bin'])
      expect(files).toContain(file);
    expect(files.filter(file => /\.ts$|^test|^dist\/test|\.py$|^data/.test(file))).toEqual([]);
  });

  it('is the same to the byte, made from another folder', async () => {
    const other = temporaryFolder();
    await spawnProgram('git', ['clone', '--quiet', '--no-hardlinks', ROOT, join(other, 'clone')]);
    // Files that aren't committed yet are packed, too.
    for (const file of changedFiles()) copyInto(join(other, 'clone'), file);
    symlinkSync(join(ROOT, 'node_modules'), join(other, 'clone/node_modules'));
    await npm(['pack', '--pack-destination', other], join(other, 'clone'));
    expect(digestOf(other)).toBe(digestOf(folder));
  });

  it('says what it is made of, under licences that may be passed on', async () => {
    const text = await npm(['sbom', '--sbom-format=cyclonedx'], folder);
    const { bomFormat, components } = JSON.parse(text) as Bill;
    expect(bomFormat).toBe('CycloneDX');
    const names = components.map(({ name }) => name);
    for (const { name } of components) expect(DEV_ONLY, name).not.toContain(name);
    expect(names).toEqual(expect.arrayContaining(['express', 'kafkajs', 'ajv', 'jose', 'ioredis', 'pino']));
    const refused = components.filter(
      ({ licenses = [] }) =>
        !licenses.some(({ license, expression }) => FREE.test(expression ?? license?.id ?? '')),
    );
    expect(refused.map(({ name, licenses }) => [name, licenses])).toEqual([]);
  });

  it('serves, ingests and recalls', async () => {
    const server = await startServer({ command: [bin, 'serve'], cwd: folder, environment: { PATH } });
    const environment = { PATH, TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir };
    const stdin =
      '{"role":"Ada","text":"The quince tree stands by the well.","timestamp":"2026-03-09T09:30:00Z"}';
    const ingested = await spawnProgram(bin, ['ingest', '-'], { cwd: folder, environment, stdin });
    expect(ingested).toMatchObject({ status: 0, stdout: expect.stringContaining('1 turn stored') });
    const recalled = await spawnProgram(bin, ['recall', 'Where is the quince tree?'], {
      cwd: folder,
      environment,
    });
    expect(recalled.stdout).toContain('Ada: The quince tree stands by the well.');
    const page = await fetch(`${server.url}/console`);
    const [, script] = /<script type="module"[^>]* src="(.*?)"/.exec(await page.text()) ?? [];
    expect(script).toMatch(/^\/console\/assets\/index-/);
    expect((await fetch(new URL(script!, server.url))).status).toBe(200);
    // The documentation of this version, as the sources serve it.
    for (const page of pageFiles())
      expect((await fetch(server.url + addressOf(page))).status, page).toBe(200);
    for (const asset of assetFiles())
      expect((await fetch(server.url + addressOf(asset))).status, asset).toBe(200);
    expect(await server.stop()).toBe(0);
  });

  it('gives a model its tools', async () => {
    const transport = new StdioClientTransport({ command: bin, args: ['mcp'], cwd: folder, env: { PATH } });
    const { client } = await callerOver(transport);
    const { tools } = await client.listTools();
    const names = ['recall', 'profile', 'remember', 'say', 'correct', 'timeline', 'forget'];
    expect(tools.map(({ name }) => name)).toEqual(names);
    await client.close();
  });

  it('tells an older Node of this machine, if there is one, what it needs', context => {
    const older = (process.env.PATH ?? '')
      .split(delimiter)
      .map(path => join(path, 'node'))
      .find(node => {
        try {
          return (
            Number(execFileSync(node, ['-p', 'process.versions.node.split(".")[0]'], { encoding: 'utf8' })) <
            24
          );
        } catch {
          return false;
        }
      });
    if (!older) return context.skip('no Node older than 24 is on the PATH');
    return spawnProgram(older, [main]).then(({ status, stderr }) => {
      expect(status).toBe(1);
      expect(stderr).toMatch(/^turnstone: Node 24 or newer is needed, this is \S+\n$/);
    });
  });
});
