import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/server.ts';
import {
  type Caller,
  call,
  type Ingested,
  ok,
  parsed,
  query,
  type Reply,
  refused,
  replyOf,
  signUp,
  speak,
  turn,
  UUID,
  write,
} from './kit.ts';

let server: Server;
let owner: Caller;
let host: string;

beforeAll(async () => {
  server = await startServer();
  owner = await signUp(server.url);
  host = new URL(server.url).host;
});
afterAll(() => server?.stop());

const INGEST = '/ingestion/memory';
const body = (text: string): string => JSON.stringify(write([turn(text)]));
const MIB_4 = 4 * 1024 * 1024;

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
    '/',
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
    '/favicon.ico',
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

describe('the correlation id', () => {
  const given = 'AAAAAAAA-bbbb-4ccc-8ddd-EEEEEEEEEEEE';
  const answers: [string, () => Promise<Reply>, number][] = [
    ['200', () => owner.send('GET', '/me', undefined, { 'x-correlation-id': given }), 200],
    [
      '202',
      () => owner.send('POST', INGEST, write([turn('correlated')]), { 'x-correlation-id': given }),
      202,
    ],
    ['400', () => owner.send('POST', INGEST, {}, { 'x-correlation-id': given }), 400],
    ['401', () => call(server.url, 'GET', '/me', { headers: { 'x-correlation-id': given } }), 401],
    ['404', () => owner.send('GET', '/nope', undefined, { 'x-correlation-id': given }), 404],
    ['405', () => owner.send('PUT', '/me', {}, { 'x-correlation-id': given }), 405],
    [
      '413',
      () =>
        call(server.url, 'POST', INGEST, {
          token: owner.token,
          raw: ' '.repeat(MIB_4 + 1),
          headers: { 'x-correlation-id': given },
        }),
      413,
    ],
    [
      '415',
      () =>
        call(server.url, 'POST', INGEST, {
          token: owner.token,
          raw: 'x',
          headers: { 'content-type': 'text/plain', 'x-correlation-id': given },
        }),
      415,
    ],
    ['422', () => owner.send('POST', INGEST, write([]), { 'x-correlation-id': given }), 422],
    ['metrics', () => call(server.url, 'GET', '/metrics', { headers: { 'x-correlation-id': given } }), 200],
  ];
  test.for(answers)('of the caller is on a %s', async ([, ask, status]) => {
    const reply = await ask();
    expect(reply.status).toBe(status);
    expect(reply.headers.get('x-correlation-id')?.toLowerCase()).toBe(given.toLowerCase());
    if (status >= 400) expect(refused(reply, status).request_id.toLowerCase()).toBe(given.toLowerCase());
  });

  test.for([
    '',
    'x',
    `${given}x`,
    `{${given}}`,
    given.replaceAll('-', ''),
    'g'.repeat(36),
    `${given}, ${given}`,
    'a'.repeat(5000),
  ])('that is no UUID (%s) is replaced', async odd => {
    const reply = await owner.send('GET', '/nope', undefined, { 'x-correlation-id': odd });
    expect(reply.headers.get('x-correlation-id')).not.toBe(odd);
    refused(reply, 404);
  });

  test('is new for each request without one', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () =>
        (await owner.send('GET', '/healthz')).headers.get('x-correlation-id'),
      ),
    );
    expect(new Set(ids).size).toBe(20);
  });

  const hello = (): string => `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`;
  const posting = (): string => `POST ${INGEST} HTTP/1.1\r\nHost: ${host}\r\n`;
  const noHttp: [what: string, bytes: () => string, statuses: number[]][] = [
    ['nonsense', () => 'nonsense\r\n\r\n', [400]],
    ['a TLS hello', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', [400]],
    ['headers of 70 KB', () => `${hello()}X-Big: ${'x'.repeat(70_000)}\r\n\r\n`, [400, 431]],
    [
      'a path of 70 KB',
      () => `GET /${'x'.repeat(70_000)} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      [400, 414, 431],
    ],
    ['no Host', () => 'GET /healthz HTTP/1.1\r\na: b\r\n\r\n', [400]],
    ['a header without a colon', () => `${hello()}bad header\r\n\r\n`, [400]],
    ['a folded header', () => `${hello()}a: b\r\n c\r\n\r\n`, [400]],
    ['another version', () => `GET /healthz HTTP/9.9\r\nHost: ${host}\r\n\r\n`, [400, 505]],
    ['a length of letters', () => `${posting()}Content-Length: abc\r\n\r\n`, [400]],
    ['a negative length', () => `${posting()}Content-Length: -1\r\n\r\n`, [400]],
    [
      'a length and chunks',
      () => `${posting()}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      [400],
    ],
    ['two lengths', () => `${posting()}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, [400]],
    [
      'a chunk of no length',
      () =>
        `${posting()}Authorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      [400],
    ],
  ];
  test.for(noHttp)('and the one error body are on %s', async ([, bytes, statuses]) => {
    const reply = parsed(await speak(server.url, bytes()));
    expect(statuses).toContain(reply.status);
    refused(reply, reply.status);
  });

  test('two Hosts: refused, or the first one counts for nothing', async () => {
    const reply = parsed(await speak(server.url, `${hello()}Host: other\r\n\r\n`));
    expect([200, 400]).toContain(reply.status);
    if (reply.status === 400) refused(reply, 400);
  });

  test('and the error body are on an expectation that nobody can meet', async () => {
    const reply = parsed(
      await speak(
        server.url,
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nExpect: the-moon\r\nConnection: close\r\n\r\n`,
      ),
    );
    expect([200, 417]).toContain(reply.status);
    if (reply.status === 417) refused(reply, 417);
  });
});

describe('content types and encodings', () => {
  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'Application/JSON',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
    'application/json; x=y',
  ])('%s: accepted', async type => {
    ok(
      await call(server.url, 'POST', INGEST, {
        token: owner.token,
        raw: body('typed'),
        headers: { 'content-type': type },
      }),
      202,
    );
  });

  test.for([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/jsonx',
    'application/json-seq',
    'json',
    'application/xml',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'text/html, application/json',
    '*/*',
    ';',
    '',
  ])('%s: 415', async type => {
    const reply = await call(server.url, 'POST', INGEST, {
      token: owner.token,
      raw: body('typed'),
      headers: { 'content-type': type },
    });
    refused(reply, 415);
  });

  test('none: 415', async () => {
    const text = body('typed');
    const head = `POST ${INGEST} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Length: ${text.length}\r\nConnection: close\r\n\r\n`;
    refused(parsed(await speak(server.url, head + text)), 415);
  });

  test.for(['gzip', 'br', 'deflate', 'nonsense'])('Content-Encoding %s: 415', async encoding => {
    const raw = encoding === 'gzip' ? gzipSync(body('packed')) : body('packed');
    refused(
      await call(server.url, 'POST', INGEST, {
        token: owner.token,
        raw,
        headers: { 'content-encoding': encoding },
      }),
      415,
    );
  });

  test('a packed bomb is not unpacked', async () => {
    const raw = gzipSync(Buffer.alloc(50 * 1024 * 1024, 32));
    refused(
      await call(server.url, 'POST', INGEST, {
        token: owner.token,
        raw,
        headers: { 'content-encoding': 'gzip' },
      }),
      415,
    );
  });

  test('no body at all: 400 or 415, whatever the length says', async () => {
    for (const length of ['Content-Length: 0\r\n', '']) {
      const head = `POST ${INGEST} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\n${length}Connection: close\r\n\r\n`;
      refused(parsed(await speak(server.url, head)), 400);
    }
  });

  test('a body where none is wanted changes nothing', async () => {
    const head = `GET /me HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nContent-Length: 1\r\nConnection: close\r\n\r\n{`;
    ok(parsed(await speak(server.url, head)), 200);
  });
});

describe('the size of a body', () => {
  const padded = (bytes: number): string => body('padded').padEnd(bytes, ' ');

  test('4 MiB: accepted', async () => {
    ok<Ingested>(await call(server.url, 'POST', INGEST, { token: owner.token, raw: padded(MIB_4) }), 202);
  });

  test('a byte more: 413', async () => {
    refused(await call(server.url, 'POST', INGEST, { token: owner.token, raw: padded(MIB_4 + 1) }), 413);
  });

  test.for(['/auth/token-exchange', '/auth/refresh', '/signup', '/recall', '/me/api-keys'])(
    'a byte more at %s: 413',
    async path => {
      refused(await call(server.url, 'POST', path, { token: owner.token, raw: padded(MIB_4 + 1) }), 413);
    },
  );

  test('announced and not sent: 413', async () => {
    const head = `POST ${INGEST} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nContent-Length: 99999999999\r\n\r\n`;
    refused(parsed(await speak(server.url, head)), 413);
  });

  /** Sends in chunks, without a length; undefined when the server hung up before its answer was read. */
  const chunked = (chunks: number, chunk: Buffer, close = body('chunked')): Promise<Reply | undefined> =>
    new Promise((resolve, reject) => {
      const sending = request(server.url + INGEST, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${owner.token}`,
          'transfer-encoding': 'chunked',
        },
      });
      sending.on('response', response => {
        let text = '';
        response.setEncoding('utf8').on('data', (more: string) => {
          text += more;
        });
        response.on('end', () =>
          resolve(
            replyOf(response.statusCode ?? 0, new Headers(response.headers as Record<string, string>), text),
          ),
        );
        response.on('error', reject);
      });
      sending.on('error', error =>
        (error as NodeJS.ErrnoException).code === 'EPIPE' ? resolve(undefined) : reject(error),
      );
      for (let i = 0; i < chunks; i++) sending.write(chunk);
      sending.end(close);
    });

  test('chunks: accepted up to 4 MiB, 413 beyond', async () => {
    const small = await chunked(3, Buffer.from('   '));
    ok<Ingested>(small!, 202);
    const large = await chunked(70, Buffer.alloc(65_536, 32));
    if (large) refused(large, 413);
  });

  test('a character cut by a chunk is whole again', async () => {
    const bytes = Buffer.from(JSON.stringify(write([turn('é😀')])));
    const at = bytes.indexOf(0xf0) + 2;
    const heard = await speak(
      server.url,
      Buffer.concat([
        Buffer.from(
          `POST ${INGEST} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${owner.token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n`,
        ),
        Buffer.from(`${at.toString(16)}\r\n`),
        bytes.subarray(0, at),
        Buffer.from(`\r\n${(bytes.length - at).toString(16)};ext=1\r\n`),
        bytes.subarray(at),
        Buffer.from('\r\n0\r\n\r\n'),
      ]),
    );
    const [id] = ok<Ingested>(parsed(heard), 202).active_fragment_ids;
    expect((await owner.ingest(write([turn('é😀')]))).active_fragment_ids).toEqual([id]);
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
