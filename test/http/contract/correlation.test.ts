import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import { type Caller, call, parsed, type Reply, refused, signUp, speak, turn, write } from './kit.ts';

let server: Server;
let owner: Caller;
let host: string;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.url);
  host = new URL(server.url).host;
});

const INGEST = '/ingestion/memory';
const MIB_4 = 4 * 1024 * 1024;

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

test('the log holds no fault after all of this', () => {
  const loud = server
    .stdout()
    .split('\n')
    .filter(line => /"level":(50|60)/.test(line));
  expect(loud).toEqual([]);
});
