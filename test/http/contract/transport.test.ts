import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import { type Caller, call, ok, parsed, query, refused, signUp, speak, turn, UUID, write } from './kit.ts';

let server: Server;
let owner: Caller;
let host: string;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.url);
  host = new URL(server.url).host;
});

const INGEST = '/ingestion/memory';
const body = (text: string): string => JSON.stringify(write([turn(text)]));

const routes: [path: string, methods: string[]][] = [
  ['/auth/token-exchange', ['POST']],
  ['/auth/refresh', ['POST']],
  ['/signup', ['POST']],
  [INGEST, ['POST']],
  ['/ingestion/jobs/x', ['GET']],
  ['/recall', ['POST']],
  ['/usage/today', ['GET']],
  ['/usage/summary', ['GET']],
  ['/me', ['GET']],
  ['/me/api-keys', ['GET', 'POST']],
  ['/me/api-keys/x', ['DELETE']],
  ['/.well-known/jwks.json', ['GET']],
  ['/healthz', ['GET']],
  ['/readyz', ['GET']],
  ['/metrics', ['GET']],
  ['/openapi.json', ['GET']],
  ['/docs', ['GET']],
];

describe('methods', () => {
  const wrong = routes.flatMap(([path, methods]) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
      .filter(each => !methods.includes(each))
      .map(each => [each, path, methods] as const),
  );
  test.for(wrong)('%s %s: 405 with Allow', async ([method, path, methods]) => {
    const reply = await owner.send(method, path, method === 'GET' ? undefined : {});
    refused(reply, 405);
    const allowed = reply.headers.get('allow')?.split(/,\s*/) ?? [];
    for (const each of methods) expect(allowed).toContain(each);
    expect(allowed).not.toContain(method);
  });

  test.for(routes)('OPTIONS, TRACE and a method nobody knows at %s', async ([path]) => {
    const options = await owner.send('OPTIONS', path);
    expect([200, 204, 405]).toContain(options.status);
    expect(options.headers.get('allow')).toBeTruthy();
    expect(options.headers.get('x-correlation-id')).toMatch(UUID);
    for (const method of ['TRACE', 'PROPFIND']) {
      const heard = await speak(
        server.url,
        `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Secret: zqecho\r\nAuthorization: Bearer ${owner.token}\r\nConnection: close\r\n\r\n`,
      );
      refused(parsed(heard), 405);
    }
  });

  test.for(routes.filter(([, methods]) => methods.includes('GET')))(
    'HEAD %s: as GET, without a body',
    async ([path]) => {
      const get = await owner.send('GET', path);
      const head = await owner.send('HEAD', path);
      expect([get.status, 405]).toContain(head.status);
      expect(head.text).toBe('');
      expect(head.headers.get('x-correlation-id')).toMatch(UUID);
    },
  );

  test('a method override is no method', async () => {
    refused(await owner.send('POST', '/me/api-keys/x', {}, { 'x-http-method-override': 'DELETE' }), 405);
  });
});

describe('paths that are not there', () => {
  test.for([
    '/nope',
    '/me/',
    '/me/x',
    '/me/api-keys/a/b',
    '/auth',
    '/auth/token',
    '/ingestion',
    '/ingestion/jobs',
    '/usage',
    '/usage/summary/x',
    '/recall/x',
    '/v1/recall',
    '/.env',
    '/.well-known',
    '/.well-known/openid-configuration',
    '/index.html',
    '/__proto__',
    '/constructor',
    '/toString',
    '/api-key',
    '/..%2f..%2fapi-key',
    '/docs/../api-key',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/docs/%00',
  ])('%s: 404 with and without a token', async path => {
    if (path !== '/me/') {
      for (const method of ['GET', 'POST', 'DELETE']) refused(await call(server.url, method, path), 404);
    }
    const reply = await owner.send('GET', path);
    if (path === '/me/') expect([200, 404]).toContain(reply.status);
    else refused(reply, 404);
  });

  test('with a broken or a strange token, and with a body that is no JSON: still 404', async () => {
    refused(await call(server.url, 'GET', '/nope', { token: 'x.y.z' }), 404);
    refused(
      await call(server.url, 'POST', '/nope', { raw: '{', headers: { 'content-type': 'text/plain' } }),
      404,
    );
  });

  test.for([
    '/%',
    '/%zz',
    '/ingestion/jobs/%E0%A4%A',
    '/me/api-keys/%ff',
    '/usage/summary?month=%E0%A4%A',
    '/%c0%ae%c0%ae/',
    '/ingestion/jobs/%',
  ])('broken percent-encoding %s: one error body, no fault of the service', async path => {
    for (const method of ['GET', 'DELETE']) {
      const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nConnection: close\r\n\r\n`;
      const reply = parsed(await speak(server.url, head));
      expect([400, 404, 405, 422]).toContain(reply.status);
      refused(reply, reply.status);
    }
  });
});

describe('connections', () => {
  test('two requests in one packet get two answers, in order', async () => {
    const one = (id: string, path: string, last: boolean): string =>
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Correlation-ID: ${id}\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const heard = await speak(
      server.url,
      one(ids[0]!, '/healthz', false) + one(ids[1]!, '/nope', false) + one(ids[2]!, '/healthz', true),
    );
    expect([...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(match => match[1])).toEqual(['200', '404', '200']);
    expect([...heard.matchAll(/x-correlation-id: (\S+)/gi)].map(match => match[1])).toEqual(ids);
  });

  test('what follows a refused body is not read as a request', async () => {
    const inner = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
    for (const type of ['text/plain', 'application/json']) {
      const heard = await speak(
        server.url,
        `POST /recall HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      );
      expect(heard.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
    }
  });

  test('an absolute target and an odd Host', async () => {
    for (const head of [
      `GET http://elsewhere/healthz HTTP/1.1\r\nHost: elsewhere`,
      `GET /healthz HTTP/1.1\r\nHost: "><script>zqecho`,
      'GET /healthz HTTP/1.0',
    ]) {
      const reply = parsed(await speak(server.url, `${head}\r\nConnection: close\r\n\r\n`));
      expect([200, 400, 404]).toContain(reply.status);
      expect(reply.text).not.toContain('zqecho');
    }
  });

  test('an upgrade is not followed', async () => {
    const reply = parsed(
      await speak(
        server.url,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      ),
    );
    expect([200, 400, 426]).toContain(reply.status);
  });

  test('Expect: 100-continue is answered and then served', async () => {
    const text = body('continued');
    const heard = await speak(
      server.url,
      `POST ${INGEST} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n${text}`,
    );
    expect(heard).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 202 /);
  });

  test('60 headers of 100 bytes are read, and the query of a POST is ignored', async () => {
    const headers = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`x-h-${i}`, 'v'.repeat(100)]));
    ok(await owner.send('POST', '/recall?q=zqecho&mode=zqecho', query('x'), headers), 200);
  });
});

test('no answer names the software or can be sniffed, framed or cached', async () => {
  for (const path of ['/me', '/nope', '/healthz', '/docs']) {
    const { headers } = await owner.send('GET', path);
    expect(headers.get('x-powered-by')).toBeNull();
    expect(headers.get('server')).toBeNull();
  }
});

test('the log holds no fault after all of this', () => {
  const loud = server
    .stdout()
    .split('\n')
    .filter(line => /"level":(50|60)/.test(line));
  expect(loud).toEqual([]);
});
