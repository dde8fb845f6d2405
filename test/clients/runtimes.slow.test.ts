/**
 * The installed client where it says that it works: without Node's names, on the oldest Node, at the edge, in
 * a page.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromium, launchChromium, WITHOUT_CHROMIUM } from '../console/support/find-chromium.ts';
import { spawnProgram } from '../support/processes/command-line.ts';
import { ROOT, type Server, startServer } from '../support/processes/server.ts';
import { installClient, npm, PATH } from './install-client.ts';

const KETTLE = join(ROOT, 'test/clients/kettle.js');
/** The runtime of edge functions at a large provider. Installed here alone: it has 160 MB. */
const WORKERD = 'workerd@1.20261117.1';
const KNOWN = '2026-01-01';

/** A test that nobody ran must not look like one that passed. */
const skipOrFail = (skip: (reason: string) => void, reason: string): void => {
  if (process.env.CI === 'true') throw new Error(reason);
  skip(reason);
};

describe('the installed client', () => {
  let folder: string;
  let dist: string;
  let files: string[];
  let server: Server;

  beforeAll(async () => {
    const client = await installClient();
    folder = client.folder;
    dist = join(client.installed, 'dist');
    files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.js'));
    server = await startServer();
  });
  afterAll(() => server?.stop());

  const runBare = async (node: string): Promise<void> => {
    const script = join(ROOT, 'test/clients/bare-context.mjs');
    const index = join(dist, 'index.js');
    const args = ['--no-warnings', '--experimental-vm-modules', script, index, server.url, server.apiKey];
    const ended = await spawnProgram(node, args, { cwd: folder });
    expect(ended).toMatchObject({ status: 0, stderr: '' });
    expect(ended.stdout).toMatch(/The kettle is blue[.] undefined undefined/);
  };

  it('works where there is nothing of Node', () => runBare(process.execPath));

  it('works on the oldest Node that it says it needs, if this machine has it', ({ skip }) => {
    const oldest = (process.env.PATH ?? '')
      .split(delimiter)
      .map(path => join(path, 'node'))
      .find(
        node => existsSync(node) && /^v20[.]/.test(execFileSync(node, ['--version'], { encoding: 'utf8' })),
      );
    return oldest ? runBare(oldest) : skipOrFail(skip, 'no Node 20 is on the PATH');
  });

  it('works in an edge runtime', async () => {
    const edge = join(folder, 'edge');
    mkdirSync(edge);
    writeFileSync(join(edge, 'package.json'), '{ "private": true }');
    await npm(['install', WORKERD, '--prefer-offline', '--no-audit', '--no-fund'], edge);
    const handler = `import { kettle } from 'kettle.js';
export default { test: async (_, options) => console.log(await kettle(options), navigator.userAgent) };`;
    const modules = [
      ['main.js', handler],
      ['kettle.js', readFileSync(KETTLE, 'utf8')],
      // Beside each other, as its files name each other.
      ...files.map(file => [
        `@turnstone/${file === 'index.js' ? 'client' : file}`,
        readFileSync(join(dist, file), 'utf8'),
      ]),
    ].map(([name, source]) => `(name = "${name}", esModule = ${JSON.stringify(source)})`);
    const options = Object.entries({ baseUrl: server.url, apiKey: server.apiKey }).map(
      ([name, text]) => `(name = "${name}", text = "${text}")`,
    );
    const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (services = [
  (name = "main", worker = (compatibilityDate = "${KNOWN}", modules = [${modules}], bindings = [${options}])),
  (name = "internet", network = (allow = ["local"])),
]);`;
    writeFileSync(join(edge, 'config.capnp'), config);
    const ended = await spawnProgram('npx', ['workerd', 'test', 'config.capnp'], {
      cwd: edge,
      environment: { PATH },
    });
    expect(ended, ended.stderr).toMatchObject({ status: 0 });
    expect(ended.stdout).toMatch(/The kettle is blue[.] undefined undefined Cloudflare-Workers/);
  });

  it('works in a page of a browser, if this machine has one', async ({ skip }) => {
    if (chromium === undefined) return skipOrFail(skip, WITHOUT_CHROMIUM);
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const html = `<script type="importmap">{ "imports": { "@turnstone/client": "/kettle/dist/index.js" } }</script>
<script type="module">import { kettle } from '/kettle/kettle.js'; globalThis.kettle = kettle;</script>`;
      // The page is of the service's own origin, beside what the service serves.
      await page.route('**/kettle/**', (route, request) => {
        const path = new URL(request.url()).pathname.slice('/kettle/'.length);
        if (path === '') return route.fulfill({ contentType: 'text/html', body: html });
        return route.fulfill({ path: path.startsWith('dist/') ? join(dirname(dist), path) : KETTLE });
      });
      await page.goto(`${server.url}/kettle/`);
      await page.waitForFunction(() => 'kettle' in globalThis);
      const told = await page.evaluate(
        options => (globalThis as unknown as { kettle(options: object): Promise<string> }).kettle(options),
        { baseUrl: server.url, apiKey: server.apiKey },
      );
      expect(told).toMatch(/The kettle is blue[.] undefined undefined/);
    } finally {
      await browser.close();
    }
  });
});
