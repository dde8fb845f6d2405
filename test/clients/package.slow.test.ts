/** The client as it would be published: checked and run where it was installed; so is its README. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { spawnProgram } from '../support/processes/command-line.ts';
import { ROOT, type Server, startServer } from '../support/processes/server.ts';
import { installClient, PATH } from './install-client.ts';

const CLIENT = join(ROOT, 'clients/typescript');
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

const HEAD = `import { Turnstone } from '@turnstone/client';\nconst turnstone = new Turnstone();\n`;
/** Each block as a program of its own; one that imports nothing goes on from the first. */
const blocks = [
  ...readFileSync(join(CLIENT, 'README.md'), 'utf8').matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm),
].map(([, language, code]) => ({ language, code: code!.includes('import ') ? code! : HEAD + code }));

describe("the client's package", () => {
  let folder: string;
  let installed: string;
  let server: Server;

  beforeAll(async () => {
    ({ folder, installed } = await installClient());
    for (const [i, { code }] of blocks.entries()) writeFileSync(join(folder, `block-${i}.ts`), code);
    server = await startServer();
  });
  afterAll(() => server?.stop());

  it('holds what was built and its papers, and depends on nothing', () => {
    const files = (readdirSync(installed, { recursive: true }) as string[]).filter(name =>
      /\.\w+$|E$/.test(name),
    );
    const top = files.filter(name => !name.startsWith('dist/')).sort();
    expect(top).toEqual(['LICENSE', 'README.md', 'package.json']);
    expect(files.filter(name => name.startsWith('dist/') && !/\.(js|d\.ts)$/.test(name))).toEqual([]);
    const { dependencies, peerDependencies } = JSON.parse(
      readFileSync(join(installed, 'package.json'), 'utf8'),
    );
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
    const imports = files
      .filter(name => name.endsWith('.js'))
      .flatMap(name => [...readFileSync(join(installed, name), 'utf8').matchAll(/\bfrom '([^']+)'/g)]);
    expect(imports.filter(([, from]) => !/^\.\/[\w-]+\.js$/.test(from!))).toEqual([]);
  });

  it.each(['nodenext', 'bundler'])('is typed under the strict rules of %s', async resolution => {
    const options = {
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      module: resolution === 'bundler' ? 'esnext' : resolution,
      moduleResolution: resolution,
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    // No answer is `any`: a wrong name is found.
    const wrong = `${HEAD}// @ts-expect-error\nconst { hit } = await turnstone.recall('a');\nconsole.log(hit);\n`;
    writeFileSync(join(folder, 'wrong.ts'), wrong);
    const project = join(folder, `tsconfig.${resolution}.json`);
    writeFileSync(project, JSON.stringify({ compilerOptions: options, include: ['block-*.ts', 'wrong.ts'] }));
    const checked = await spawnProgram(process.execPath, [TSC, '-p', project], {
      cwd: folder,
      within: 110_000,
    });
    expect(checked).toMatchObject({ status: 0, stdout: '' });
  });

  it('has a README whose blocks are all run', () => {
    expect(blocks.length).toBeGreaterThan(4);
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(['ts']));
  });

  it.each(blocks.map((_, i) => i))('has a README whose block %i works', async i => {
    const environment = { PATH, TURNSTONE_URL: server.url, TURNSTONE_API_KEY: server.apiKey };
    const ended = await spawnProgram(process.execPath, [`block-${i}.ts`], { cwd: folder, environment });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    const shown = [
      /^0\.\d+ \[2026-01-05\] \[user\] I moved to Lyon/,
      /^$/,
      /^turn /,
      /\bof 1000000 tokens in/,
      /^Ada lives in Porto\.$/m,
      /^invalid 422 /,
    ];
    expect(ended.stdout).toMatch(shown[i]!);
  });
});
