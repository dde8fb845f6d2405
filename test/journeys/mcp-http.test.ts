import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  callerOver,
  httpTransport,
  type McpCaller,
  type McpHttpServer,
  startMcpHttp,
} from '../support/http/mcp.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { type Server, startServer } from '../support/processes/server.ts';

/** `turnstone mcp --http`, called by several clients with keys of their own. */
let server: Server;
let environment: Record<string, string>;
let ada: string;
let ben: string;
let local: McpHttpServer;

const started: McpHttpServer[] = [];
const startMcp = async (args: string[], more: Record<string, string> = {}): Promise<McpHttpServer> => {
  const mcp = await startMcpHttp(args, { ...environment, ...more });
  started.push(mcp);
  return mcp;
};

beforeAll(async () => {
  server = await startServer();
  environment = { TURNSTONE_URL: server.url, TURNSTONE_DATA_DIR: server.dataDir };
  const newKey = async (user: string): Promise<string> => {
    const args = ['keys', 'create', user, '--roles', 'memory:read,memory:write', '--user', user];
    return /^API key: (\S+)$/m.exec((await runCommand(args, environment)).stdout)![1]!;
  };
  ada = await newKey('ada');
  ben = await newKey('ben');
  local = await startMcp(['--http', '0']);
});
afterAll(async () => {
  for (const { child } of started) child.kill('SIGKILL');
  await server.stop();
});

const open: McpCaller[] = [];
const connected = async (url: string, key?: string): Promise<McpCaller> => {
  const caller = await callerOver(httpTransport(url, key));
  open.push(caller);
  return caller;
};
afterEach(async () => {
  for (const { client } of open.splice(0)) await client.close();
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
};
const LIST = { jsonrpc: '2.0', id: 2, method: 'tools/list' };

/** Sends what fetch would not: a Host and an Origin of one's own. */
const sent = (
  url: string,
  headers: Record<string, string>,
  body: unknown = INITIALIZE,
  method = 'POST',
): Promise<{ status: number; headers: Record<string, unknown>; text: string }> =>
  new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      {
        method,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
      },
      async response => {
        let text = '';
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
        resolve({ status: response.statusCode!, headers: response.headers, text });
      },
    );
    request.on('error', reject);
    request.end(method === 'POST' ? JSON.stringify(body) : undefined);
  });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('callers with keys of their own', () => {
  it('remember and recall, each what is its own', async () => {
    const [adas, bens] = await Promise.all([connected(local.url, ada), connected(local.url, ben)]);
    await adas.call('remember', { text: 'My bicycle is green.', session: 'bikes' });
    await bens.call('remember', { text: 'My bicycle is red.', session: 'bikes' });
    const texts = async ({ call }: McpCaller) =>
      (await call('recall', { question: 'Which colour is the bicycle?' })).structured.turns.map(
        (turn: { text: string }) => turn.text,
      );
    expect(await texts(adas)).toEqual(['My bicycle is green.']);
    expect(await texts(bens)).toEqual(['My bicycle is red.']);
    expect((await bens.client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'turnstone://users/ben/sessions/bikes',
    ]);
    await expect(bens.client.readResource({ uri: 'turnstone://users/ada/sessions/bikes' })).rejects.toThrow(
      '403',
    );
    expect((await bens.call('timeline', { user: 'ada', topic: 'bicycle' })).isError).toBe(true);
    const forget = await bens.call('forget', { user: 'ada', session: 'bikes', confirm: 'bikes' });
    expect([forget.isError, forget.text]).toEqual([true, expect.stringContaining('403')]);
    expect(await texts(adas)).toEqual(['My bicycle is green.']);
  });

  it("can not use another's session, which to them is none", async () => {
    const begun = await sent(local.url, bearer(ada));
    expect(begun.status).toBe(200);
    const session = { 'mcp-session-id': String(begun.headers['mcp-session-id']) };
    const own = await sent(local.url, { ...bearer(ada), ...session }, LIST);
    expect([own.status, own.text]).toEqual([200, expect.stringContaining('"recall"')]);
    for (const caller of [bearer(ben), bearer(`${ada}x`)])
      for (const method of ['POST', 'GET', 'DELETE']) {
        const other = await sent(local.url, { ...caller, ...session }, LIST, method);
        expect([other.status, other.text]).toEqual([404, expect.stringContaining('Session not found')]);
      }
    expect((await sent(local.url, { ...bearer(ada), ...session }, LIST)).status).toBe(200);
    expect((await sent(local.url, { ...bearer(ada), ...session }, undefined, 'DELETE')).status).toBe(200);
    expect((await sent(local.url, { ...bearer(ada), ...session }, LIST)).status).toBe(404);
  });

  it('begin no session with a wrong key, and read why', async () => {
    const { status, headers, text } = await sent(local.url, bearer('ts_0123456789abcdef_wrong'));
    expect([status, headers['www-authenticate'], headers['mcp-session-id']]).toEqual([
      401,
      'Bearer',
      undefined,
    ]);
    expect(JSON.parse(text).error.message).toContain('The API key is not known');
    await expect(connected(local.url, 'ts_0123456789abcdef_wrong')).rejects.toThrow('not known');
  });
});

describe('callers without a key', () => {
  it('are refused on every address, with a variable for the user too', async () => {
    const mcp = await startMcp(['--http', '0'], { TURNSTONE_MCP_USER: 'house' });
    const wide = await startMcp(['--http', '0.0.0.0:0']);
    for (const { url } of [local, mcp, { url: wide.url.replace('0.0.0.0', '127.0.0.1') }]) {
      const { status, headers } = await sent(url, {});
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      const { call } = await connected(url, ada);
      const { text } = await call('remember', { text: 'The kettle is blue.' });
      expect(text).toBe('Remembered 1 turn in the default session of the user "ada".');
    }
  });
});

describe('web pages', () => {
  it.each(['https://evil.example', 'http://localhost:3000', 'null'])('of %s are refused', async origin => {
    for (const caller of [{}, bearer(ada)]) {
      const { status, headers } = await sent(local.url, { origin, ...caller });
      expect([status, headers['access-control-allow-origin']]).toEqual([403, undefined]);
    }
  });

  it('that pointed a name of theirs at this machine are refused', async () => {
    expect((await sent(local.url, { host: 'evil.example' })).status).toBe(403);
    expect(
      (await sent(local.url, { host: `localhost:${new URL(local.url).port}`, ...bearer(ada) })).status,
    ).toBe(200);
  });
});

describe('the rest of HTTP', () => {
  it('knows one path, and wants a session where one is needed', async () => {
    expect((await sent(new URL('/', local.url).href, {})).status).toBe(404);
    expect((await sent(local.url, bearer(ada), undefined, 'GET')).status).toBe(400);
    expect((await sent(local.url, bearer(ada), LIST)).status).toBe(400);
    expect((await sent(local.url, { 'mcp-session-id': 'none', ...bearer(ada) }, LIST)).status).toBe(404);
  });

  it('knows three methods', async () => {
    for (const method of ['PUT', 'OPTIONS', 'PATCH'])
      for (const session of [bearer(ada), { 'mcp-session-id': 'none' }]) {
        const { status, headers } = await sent(local.url, session, undefined, method);
        expect([status, headers.allow]).toEqual([405, 'GET, POST, DELETE']);
      }
  });

  it('takes no body of more than 4 MiB', async () => {
    const huge = { ...INITIALIZE, params: { ...INITIALIZE.params, x: 'x'.repeat(5 * 1024 * 1024) } };
    expect((await sent(local.url, bearer(ada), huge)).status).toBe(413);
  });

  it('says 503 while no Turnstone answers', async () => {
    const lost = await startMcp(['--http', '0'], { TURNSTONE_URL: 'http://127.0.0.1:9' });
    const { status, headers, text } = await sent(lost.url, bearer(ada));
    expect([status, headers['retry-after']]).toEqual([503, '5']);
    expect(JSON.parse(text).error.message).toContain('`turnstone serve`');
  });

  it("one caller's wrong keys do not lock the others out, where Turnstone trusts this server", async () => {
    const careful = await startServer({
      environment: { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '3', TURNSTONE_TRUSTED_PROXIES: '127.0.0.1' },
    });
    const mcp = await startMcp(['--http', '0'], { TURNSTONE_URL: careful.url });
    const from = async (address: string, key: string) =>
      (await sent(mcp.url, { 'x-forwarded-for': address, ...bearer(key) })).status;
    const guesses = [];
    for (let guess = 0; guess < 4; guess++)
      guesses.push(await from('203.0.113.7', `ts_${guess}123456789abcdef_x`));
    expect(guesses).toEqual([401, 401, 401, 429]);
    expect(await from('203.0.113.8', careful.apiKey)).toBe(200);
    await careful.stop();
  });

  it('made-up keys lock nobody out, here or in Turnstone', async () => {
    const mcp = await startMcp(['--http', '0.0.0.0:0']);
    const url = mcp.url.replace('0.0.0.0', '127.0.0.1');
    expect((await sent(url, bearer(ada))).status).toBe(200);
    const guess = (number: number) => sent(url, bearer(`ts_${String(number).padStart(16, '0')}_x`));
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, number) => guess(number)));
    const count = (status: number) => guesses.filter(one => one.status === status).length;
    // Turnstone counts them, and those of other tests, for this server's address.
    expect(count(401)).toBeLessThanOrEqual(30);
    expect(count(401) + count(429)).toBe(40);
    expect(count(429)).toBeGreaterThanOrEqual(10);
    const { headers } = guesses.find(({ status }) => status === 429)!;
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect((await sent(url, bearer(ben))).status).toBe(200);
    expect((await sent(url, bearer(ada))).status).toBe(200);
    const exchange = await fetch(`${server.url}/auth/token-exchange`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ api_key: ben }),
    });
    expect(exchange.status).toBe(200);
  });

  it('a key is tried only by a request that begins a session', async () => {
    for (const body of [LIST, [LIST], null])
      expect((await sent(local.url, bearer('ts_0123456789abcdef_untried'), body)).status).toBe(400);
    expect((await sent(local.url, bearer(ada), [INITIALIZE])).status).toBe(200);
  });

  it('logs no key and no word, and ends in order while a client listens', async () => {
    const mcp = await startMcp(['--http', '0']);
    const { call } = await connected(mcp.url, ada);
    await call('remember', { text: 'A heron stood in the pond.' });
    mcp.child.kill('SIGTERM');
    expect(await once(mcp.child, 'exit')).toEqual([0, null]);
    expect(mcp.stderr()).toContain('"msg":"mcp session begun"');
    expect(mcp.stderr()).toContain('"msg":"mcp closed"');
    for (const secret of [ada, server.apiKey, 'heron']) expect(mcp.stderr()).not.toContain(secret);
  });
});
