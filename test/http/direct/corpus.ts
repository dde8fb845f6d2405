/** Conversations of a client with `POST /ingestion/memory`, good and bad, as bytes. */
import { gzipSync } from 'node:zlib';
import { ingestion } from '../contract/refused-ingestion.ts';

/** Sent one after the other, each in a packet of its own; `cut` ends the connection there. */
export type Conversation = (string | Uint8Array | 'cut')[];

export interface Known {
  token: string;
  expired: string;
  apiKey: string;
  /** A key without a right to write, and one that was revoked. */
  reader: string;
  revoked: string;
}

const turn = { role: 'user', text: 'hello', timestamp: '2026-01-31T10:00:00Z' };
const plain = { scope: { org_id: 'acme' }, turns: [turn] };
const said = (text: string) => JSON.stringify({ ...plain, turns: [{ ...turn, text }] });
const GOOD = JSON.stringify(plain);
const ofLength = (bytes: number) => JSON.stringify({ ...plain, pad: 'x'.repeat(bytes - GOOD.length - 9) });

interface Parts {
  line?: string;
  /** Replaces the credential. */
  credential?: string[];
  headers?: string[];
  body?: string | Uint8Array;
  /** Instead of the headers of a small body in JSON. */
  framed?: string[];
  host?: string[];
  /** Keeps the connection. */
  stays?: boolean;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

export const corpus = ({ token, expired, apiKey, reader, revoked }: Known): [string, Conversation][] => {
  const bearer = `Authorization: Bearer ${token}`;
  const one = (parts: Parts = {}): Uint8Array => {
    const { line = 'POST /ingestion/memory HTTP/1.1', credential = [bearer], headers = [], stays } = parts;
    const body = typeof parts.body === 'string' ? Buffer.from(parts.body) : (parts.body ?? Buffer.from(GOOD));
    const framed = parts.framed ?? ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const last = stays ? [] : ['Connection: close'];
    const head = [line, ...(parts.host ?? ['Host: here']), ...credential, ...framed, ...headers, ...last];
    return Buffer.concat([bytes(`${head.join('\r\n')}\r\n\r\n`), body]);
  };
  const length = `Content-Length: ${GOOD.length}`;
  const typed = (type: string) => one({ framed: [`Content-Type: ${type}`, length] });
  const key = (value: string) => one({ credential: [`X-API-Key: ${value}`] });
  const whole = one({ stays: true });
  const half = whole.subarray(0, whole.length - 20);
  const heads = whole.subarray(0, 40);
  const chunked = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
  const inChunks = `5\r\n${GOOD.slice(0, 5)}\r\n${(GOOD.length - 5).toString(16)}\r\n${GOOD.slice(5)}\r\n0\r\n\r\n`;

  const messages: [string, Uint8Array][] = [
    ['a plain write', one()],
    ['an API key', key(apiKey)],
    ['an API key and a token', one({ credential: [bearer, `X-API-Key: ${apiKey}`] })],
    ['a correlation id', one({ headers: ['X-Correlation-ID: 5f0c2a52-0000-4000-8000-00000000000a'] })],
    ['no UUID as a correlation id', one({ headers: ['X-Correlation-ID: abc'] })],
    [
      'headers in odd casing',
      one({ framed: ['cOnTeNt-TyPe: APPLICATION/JSON', `content-LENGTH: ${GOOD.length}`] }),
    ],
    ['HTTP/1.0', one({ line: 'POST /ingestion/memory HTTP/1.0' })],
    ['HTTP/1.0 without a host', one({ line: 'POST /ingestion/memory HTTP/1.0', host: [] })],
    ['no host', one({ host: [] })],
    ['two hosts', one({ host: ['Host: here', 'Host: there'] })],
    ['an empty host', one({ host: ['Host:'] })],
    ['a forwarded address', one({ headers: ['X-Forwarded-For: 203.0.113.9, 198.51.100.2'] })],
    [
      'the type twice',
      one({ framed: ['Content-Type: application/json', 'Content-Type: text/plain', length] }),
    ],
    [
      'the other type first',
      one({ framed: ['Content-Type: text/plain', 'Content-Type: application/json', length] }),
    ],
    ['the length twice', one({ framed: ['Content-Type: application/json', length, length] })],
    ['two lengths', one({ framed: ['Content-Type: application/json', length, 'Content-Length: 5'] })],
    ['lengths in a list', one({ framed: ['Content-Type: application/json', `${length}, ${GOOD.length}`] })],
    ...[
      `+${GOOD.length}`,
      '0x46',
      '-1',
      '7e1',
      `0${GOOD.length}`,
      `000000${GOOD.length} `,
      '9'.repeat(20),
      'many',
      '',
    ].map((value): [string, Uint8Array] => [
      `the length ${value}`,
      one({ framed: ['Content-Type: application/json', `Content-Length: ${value}`] }),
    ]),
    ['a length of 0', one({ framed: ['Content-Type: application/json', 'Content-Length: 0'], body: '' })],
    ['no length and no body', one({ framed: ['Content-Type: application/json'], body: '' })],
    ['the credential twice', one({ credential: [bearer, 'Authorization: Bearer other'] })],
    ['the other credential first', one({ credential: ['Authorization: Bearer other', bearer] })],
    ['two keys', one({ credential: [`X-API-Key: ${apiKey}`, 'X-API-Key: other'] })],
    ['no credential', one({ credential: [] })],
    ['an empty credential', one({ credential: ['Authorization:'] })],
    ['another scheme', one({ credential: ['Authorization: Basic YTpi'] })],
    ['a key as a token', one({ credential: [`Authorization: Bearer ${apiKey}`] })],
    ['a token that is none', one({ credential: ['Authorization: Bearer a.b.c'] })],
    ['an expired token', one({ credential: [`Authorization: Bearer ${expired}`] })],
    ['a revoked key', key(revoked)],
    ['a key that may not write', key(reader)],
    ['a key that is none', key('ts_none')],
    ...[
      'application/json; charset=utf-8',
      'application/json;charset="UTF-8"',
      'application/json; charset=latin1',
      'application/json; a=b',
      'application/jsonx',
      'text/plain',
      'application/x-www-form-urlencoded',
      '',
    ].map((type): [string, Uint8Array] => [`the type ${type}`, typed(type)]),
    ['no type', one({ framed: [length] })],
    ['a coding', one({ headers: ['Content-Encoding: gzip'], body: gzipSync(GOOD) })],
    ['the coding identity', one({ headers: ['Content-Encoding: identity'] })],
    ['an expectation', one({ headers: ['Expect: 100-continue'] })],
    ['an unknown expectation', one({ headers: ['Expect: a miracle'] })],
    ['an upgrade', one({ headers: ['Upgrade: h2c'] })],
    ['chunks', one({ framed: chunked, body: inChunks })],
    ['chunks and a length', one({ framed: [...chunked, length], body: inChunks })],
    ['chunks that are none', one({ framed: chunked, body: 'zz\r\n' })],
    [
      'an unknown transfer coding',
      one({ framed: ['Content-Type: application/json', 'Transfer-Encoding: x', length] }),
    ],
    ['a folded header', one({ headers: ['X-One: a\r\n b'] })],
    ['a header without a name', one({ headers: [': a'] })],
    ['a header with a zero byte', one({ headers: ['X-One: a\0b'] })],
    ['headers that are too large', one({ headers: [`X-One: ${'a'.repeat(20_000)}`] })],
    ['a client that has it already', one({ headers: ['If-None-Match: *', 'Accept-Encoding: gzip'] })],
    ...['?', '?a=b', '/', '/../memory', '//', '%2f', '#a', ';a'].map((more): [string, Uint8Array] => [
      `a path and ${more}`,
      one({ line: `POST /ingestion/memory${more} HTTP/1.1` }),
    ]),
    ['an encoded path', one({ line: 'POST /ingestion/m%65mory HTTP/1.1' })],
    ['a broken path', one({ line: 'POST /ingestion/memory%E0 HTTP/1.1' })],
    ['a path in capitals', one({ line: 'POST /Ingestion/memory HTTP/1.1' })],
    ['a whole address', one({ line: 'POST http://here/ingestion/memory HTTP/1.1' })],
    ...['GET', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'post', 'BREW'].map((method): [string, Uint8Array] => [
      `the method ${method}`,
      one({ line: `${method} /ingestion/memory HTTP/1.1` }),
    ]),
    ['another version', one({ line: 'POST /ingestion/memory HTTP/3.7' })],
    ['a body of 16 KiB', one({ body: ofLength(16_384) })],
    ['one byte more', one({ body: ofLength(16_385) })],
    ['a body of 200 KB', one({ body: ofLength(200_000) })],
    ['more than the largest', one({ framed: ['Content-Type: application/json', 'Content-Length: 4194305'] })],
    ['an empty body in JSON', one({ body: '' })],
    ['broken JSON', one({ body: '{"scope":' })],
    ['a byte order mark', one({ body: `\ufeff${GOOD}` })],
    ['no UTF-8', one({ body: Buffer.from('{"q":"é"}', 'latin1') })],
    ['an unknown member', one({ body: JSON.stringify({ ...plain, more: { deep: [1] } }) })],
    ['a name of the prototype', one({ body: `{"__proto__":{"a":1},${GOOD.slice(1)}` })],
    ['another organization', one({ body: JSON.stringify({ ...plain, scope: { org_id: 'other' } }) })],
    ['a fault of ours', one({ body: said('internal') })],
    ['an outage', one({ body: said('unavailable') })],
    ['a quota that is used up', one({ body: said('quota') })],
    ['a call that takes too long', one({ body: said('late') })],
    ['words of many scripts', one({ body: said('Grüße, 世界! 😀') })],
    ...ingestion.map(([what, body]): [string, Uint8Array] => [what, one({ body: JSON.stringify(body) })]),
  ];

  return [
    ...messages.map(([what, message]): [string, Conversation] => [what, [message]]),
    ['two that come at once', [Buffer.concat([whole, one({ body: said('second') })])]],
    ['a good one behind a bad one', [Buffer.concat([one({ body: '{', stays: true }), one()])]],
    ['a chunked one behind a plain one', [Buffer.concat([whole, one({ framed: chunked, body: inChunks })])]],
    ['bytes behind the body', [Buffer.concat([whole, bytes('GARBAGE\r\n\r\n')])]],
    ['a body in two packets', [one().subarray(0, -10), one().subarray(-10)]],
    ['a head in two packets', [one().subarray(0, 30), one().subarray(30)]],
    ['a body that ends early', [half, 'cut']],
    ['a head that ends early', [heads, 'cut']],
    ['a client that leaves', [one({ body: said('late') }), 'cut']],
    ['one after the other', [whole, whole, one()]],
  ];
};
