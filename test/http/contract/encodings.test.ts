import { request } from 'node:http';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import {
  type Caller,
  call,
  type Ingested,
  ok,
  parsed,
  type Reply,
  refused,
  replyOf,
  signUp,
  speak,
  turn,
  write,
} from './kit.ts';

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
const MIB_4 = 4 * 1024 * 1024;

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

  test('a body without a content type is refused with 415', async () => {
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

test('the log holds no fault after all of this', () => {
  const loud = server
    .stdout()
    .split('\n')
    .filter(line => /"level":(50|60)/.test(line));
  expect(loud).toEqual([]);
});
