import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callerOver, startMcpHttp } from '../support/http/mcp.ts';
import { MAIN, ROOT, type Server, startServer, temporaryFolder } from '../support/processes/server.ts';

/** Every configuration that the docs give to a client starts a server that remembers. */
interface Entry {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  url?: string;
  headers?: Record<string, string>;
}

const entriesOf = (file: string): [string, Entry][] => {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, json], index) => [
    `${file}, ${index + 1}`,
    JSON.parse(json!).mcpServers.turnstone,
  ]);
};
const ENTRIES = entriesOf('docs/guides/connect/mcp.md');

let server: Server;
const bin = temporaryFolder();
/** The package's `turnstone`, and the Node that these tests run on. */
const PATH = [bin, dirname(process.execPath), process.env.PATH].join(delimiter);

beforeAll(async () => {
  writeFileSync(join(bin, 'turnstone'), `#!/bin/sh\nexec '${process.execPath}' '${MAIN}' "$@"\n`, {
    mode: 0o755,
  });
  server = await startServer();
});
afterAll(async () => {
  await server.stop();
});

const filled = (text: string): string =>
  text
    .replaceAll('/path/to/turnstone', ROOT)
    .replaceAll('http://127.0.0.1:8080', server.url)
    .replaceAll('ts_…', server.apiKey);

const ofEach = (values: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, filled(value)]));

const transportOf = (entry: Entry): StdioClientTransport =>
  new StdioClientTransport({
    command: entry.command!,
    args: entry.args!.map(filled),
    // From a clone it finds the server and the key by their defaults, which are this test's own here.
    env: { PATH, TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir, ...ofEach(entry.env) },
    cwd: bin,
    stderr: 'ignore',
  });

describe('the documented configurations', () => {
  it('are for a clone, for the package, and for HTTP', () => {
    expect(new Set(ENTRIES.map(([, { command, url }]) => command ?? url))).toEqual(
      new Set(['npm', 'turnstone', 'http://127.0.0.1:8090/mcp']),
    );
  });

  it.each(ENTRIES.filter(([, { command }]) => command))(
    'start a server that remembers and recalls: %s',
    async (place, entry) => {
      const { client, call } = await callerOver(transportOf(entry));
      const said = `Written as told in ${place}.`;
      const { text } = await call('remember', { text: said });
      const session = entry.args?.includes('--session') ? 'the session "my-project"' : 'the default session';
      expect(text).toBe(`Remembered 1 turn in ${session} of the user "me".`);
      expect((await call('recall', { question: said })).structured.turns[0].text).toBe(said);
      await client.close();
    },
  );

  it.each(ENTRIES.filter(([, { url }]) => url))('work over HTTP: %s', async (_place, entry) => {
    const { url, child } = await startMcpHttp(['--http', '0'], {
      TURNSTONE_URL: server.url,
    });
    const requestInit = { headers: ofEach(entry.headers) };
    const { client } = await callerOver(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
    expect((await client.listTools()).tools).toHaveLength(7);
    await client.close();
    child.kill('SIGKILL');
  });
});
