import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import { AT, type Caller, call, MARK, places, query, refused, signUp, turn, write } from './kit.ts';
import { exchanges, keys, recalls, refreshes, signups } from './refused-bodies.ts';
import { good, INGEST, ingestion } from './refused-ingestion.ts';

let server: Server;
let owner: Caller;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.url);
});

describe.each([
  [INGEST, ingestion],
  ['/recall', recalls],
  ['/me/api-keys', keys],
  ['/signup', signups],
  ['/auth/token-exchange', exchanges],
  ['/auth/refresh', refreshes],
])('POST %s refuses', (path, cases) => {
  test.for(cases)('%s', async ([, body, status, expected]) => {
    const refusal = refused(await owner.send('POST', path, body), status);
    expect(places(refusal)).toEqual(expected);
  });
});

test('since after until is a fault of value', async () => {
  const window = { since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' };
  const refusal = refused(await owner.send('POST', '/recall', query('x', window)), 422);
  expect(places(refusal)).toHaveLength(1);
  expect(places(refusal)[0]).toMatch(/^body\.(since|until)$/);
});

test('since and until are compared as instants, not as strings', async () => {
  const window = { since: '2026-01-01T10:00:00+05:00', until: '2026-01-01T05:00:00Z' };
  await owner.recall(query('x', window));
  const crossed = { since: '2026-01-01T05:00:00.001Z', until: '2026-01-01T10:00:00+05:00' };
  refused(await owner.send('POST', '/recall', query('x', crossed)), 422);
});

test.for([
  '2026-13',
  '2026-00',
  '2026-1',
  '26-01',
  '2026',
  '2026-01-01',
  '',
  ' ',
  '2026-01%20',
  '%00',
  '2026/01',
  '2026-0a',
  '-2026-01',
  '+2026-01',
  '٢٠٢٦-٠١',
  '2026-01%0A',
  MARK,
])('month=%s is a fault of value', async month => {
  const refusal = refused(await owner.send('GET', `/usage/summary?month=${month}`), 422);
  expect(places(refusal)).toEqual(['query.month']);
});

test('two months are a fault', async () => {
  const reply = await owner.send('GET', '/usage/summary?month=2026-01&month=2026-02');
  expect([400, 422]).toContain(reply.status);
  expect(places(refused(reply, reply.status))).toEqual(['query.month']);
});

test('all turns are told, at their own places', async () => {
  const turns = Array.from({ length: 40 }, (_, i) => (i % 2 ? good : { ...good, text: '' }));
  const refusal = refused(await owner.send('POST', INGEST, write(turns)), 422);
  expect(refusal.details?.errors?.map(fault => fault.loc)).toEqual(
    Array.from({ length: 20 }, (_, i) => ['body', 'turns', i * 2, 'text']),
  );
});

describe('text that is no JSON', () => {
  const valid = JSON.stringify(write([good]));
  const table: [string, string | Uint8Array][] = [
    ['an open brace', '{'],
    ['nothing', ''],
    ['spaces', '  \n '],
    ['single quotes', `{'scope':1}`],
    ['a comma at the end', valid.replace(/}$/, ',}')],
    ['two documents', `${valid}${valid}`],
    ['NaN', valid.replace('"fine"', 'NaN')],
    ['a comment', `/* */${valid}`],
    ['a raw line feed in a string', valid.replace('fine', 'fi\nne')],
    ['a raw NUL in a string', valid.replace('fine', 'fi\0ne')],
    ['a bad escape', valid.replace('fine', '\\x41')],
    ['half an escape', valid.replace('fine', '\\u00')],
    ['invalid UTF-8 in a string', Buffer.from(valid.replace('fine', '\xff\xfe'), 'latin1')],
    ['an overlong NUL', Buffer.from(valid.replace('fine', '\xc0\x80'), 'latin1')],
    ['a surrogate in UTF-8', Buffer.from(valid.replace('fine', '\xed\xa0\x80'), 'latin1')],
    ['a character cut short at the end', Buffer.from(`${valid}\xe2\x82`, 'latin1')],
    ['beyond U+10FFFF', Buffer.from(valid.replace('fine', '\xf4\x90\x80\x80'), 'latin1')],
    ['UTF-16', Buffer.from(valid, 'utf16le')],
    ['100,000 open brackets', '['.repeat(100_000)],
    ['3,000,000 open braces', '{"a":'.repeat(600_000)],
  ];
  test.for(table)('%s: 400', async ([, raw]) => {
    refused(await call(server.url, 'POST', INGEST, { token: owner.token, raw }), 400);
  });
  test('Latin-1 in the body of an open path: 400', async () => {
    const raw = Buffer.from('{"api_key":"\xe9"}', 'latin1');
    refused(await call(server.url, 'POST', '/auth/token-exchange', { raw }), 400);
  });
});

describe('odd and allowed', () => {
  const accepted: [string, unknown][] = [
    [
      'unknown members everywhere',
      {
        scope: { org_id: 'a', x: 1 },
        turns: [{ ...turn('unknown members'), x: null }],
        options: { y: [] },
        z: 1,
      },
    ],
    [
      'own __proto__, constructor and toString',
      JSON.parse(
        `{"__proto__":{"turns":7},"constructor":{"prototype":{"x":1}},"toString":1,"scope":{"org_id":"a","__proto__":null,"hasOwnProperty":1},
        "turns":[{"__proto__":{"text":""},"role":"user","text":"plain names","timestamp":"${AT}","constructor":7}],
        "options":{"__proto__":{"write_active":false},"toString":1},"metadata":{"__proto__":{"a":1},"constructor":null,"toString":"x"}}`,
      ),
    ],
    ['role __proto__', write([turn('odd role', { role: '__proto__' })])],
    ['role of spaces and marks', write([turn('odd role', { role: ' <b>"{}" ' })])],
    ['role of 64 characters in two units each', write([turn('odd role', { role: '😀'.repeat(64) })])],
    [
      'a user and session named as methods',
      { scope: { org_id: 'a', user_id: 'constructor', session_id: '__proto__' }, turns: [good] },
    ],
    [
      'a user and session named as paths',
      { scope: { org_id: 'a', user_id: '../../etc', session_id: 'a/b\\c:d|e*?' }, turns: [good] },
    ],
    [
      'ids of 256',
      {
        scope: { org_id: 'o'.repeat(256), user_id: '😀'.repeat(256), session_id: 's'.repeat(256) },
        turns: [good],
      },
    ],
    ['text of one space', write([turn(' ')])],
    ['text of one NUL', write([turn('\0')])],
    ['text of a special token', write([turn('<|endoftext|> and <|endofprompt|> <|im_start|>')])],
    ['text of markup', write([turn('"</script><script>alert(1)</script>\u2028\u2029\u202e')])],
    ['no observations', write([turn('none', { observations: [] })])],
    [
      '64 observations',
      write([
        turn('many', {
          observations: Array.from({ length: 64 }, (_, i) => ({ text: `fact ${i}`, source: 9 })),
        }),
      ]),
    ],
    [
      'observations of 4,096',
      write([turn('long', { observations: ['o'.repeat(4096), { text: '😀'.repeat(4096) }] })]),
    ],
    ['empty options and metadata', write([turn('empty')], { options: {}, metadata: {} })],
    [
      'metadata of 16,384 bytes',
      write([turn('edge of metadata')], { metadata: { a: 'x'.repeat(16_384 - 8) } }),
    ],
    [
      'metadata nested 999 deep',
      write([turn('deep metadata')], {
        metadata: JSON.parse(`{"a":${'['.repeat(998)}${']'.repeat(998)}}`),
      }),
    ],
    [
      'a __proto__ in metadata alone',
      write([turn('proto')], { metadata: JSON.parse('{"__proto__":{"toJSON":1}}') }),
    ],
    ['toJSON in metadata', write([turn('toJSON')], { metadata: { toJSON: 'x', length: -1 } })],
  ];
  test.for(accepted)('%s: 202', async ([, body]) => {
    const answer = await owner.ingest(body);
    expect(answer.active_fragment_ids).toHaveLength(1);
  });

  test('metadata deeper than 1,000 levels: 422', async () => {
    const raw = `{"scope":{"org_id":"a"},"turns":[${JSON.stringify(turn('deepest'))}],"metadata":{"a":${'['.repeat(8100)}${']'.repeat(8100)}}}`;
    const reply = await call(server.url, 'POST', INGEST, { token: owner.token, raw });
    expect(reply.status, reply.text).toBe(422);
  });

  test('an unknown member nested a million deep is ignored or refused, never a fault of the service', async () => {
    const raw = `{"scope":{"org_id":"a"},"turns":[${JSON.stringify(turn('nested'))}],"x":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`;
    const reply = await call(server.url, 'POST', INGEST, { token: owner.token, raw });
    expect([202, 400, 422]).toContain(reply.status);
  });

  test.for([
    ['text', (x: string) => write([turn(x)])],
    ['role', (x: string) => write([turn('surrogate', { role: x })])],
    ['user_id', (x: string) => ({ scope: { org_id: 'a', user_id: x }, turns: [good] })],
    ['session_id', (x: string) => ({ scope: { org_id: 'a', session_id: x }, turns: [good] })],
    ['an observation', (x: string) => write([turn('surrogate', { observations: [x] })])],
    ['metadata', (x: string) => write([turn('surrogate in metadata')], { metadata: { [x]: x } })],
  ] as const)('a lone surrogate in %s: accepted for good or refused, never a fault', async ([, make]) => {
    for (const lone of ['\ud800', 'a\udc00b']) {
      const first = await owner.send('POST', INGEST, make(lone));
      expect([202, 400, 422]).toContain(first.status);
      if (first.status !== 202) return;
      const again = await owner.ingest(make(lone));
      expect(again.active_fragment_ids).toEqual(first.as<typeof again>().active_fragment_ids);
      expect(again.usage.tokens_in).toBe(0);
    }
    const other = await owner.send('POST', '/recall', query('\udfff?'));
    expect([200, 400, 422]).toContain(other.status);
  });

  test.for(['\0', 'a\nb', '\u2028', ' '])(
    'a user and a session named %j: kept apart or refused, never a fault',
    async name => {
      const body = { scope: { org_id: 'a', user_id: name, session_id: name }, turns: [turn('odd names')] };
      const reply = await owner.send('POST', INGEST, body);
      expect([202, 422]).toContain(reply.status);
    },
  );

  test('duplicate names: the last one counts, for validation and for the write', async () => {
    const raw = `{"scope":{"org_id":"a"},"turns":[],"turns":[{"role":"a","role":"user","text":"last one wins","timestamp":"${AT}"}]}`;
    const reply = await call(server.url, 'POST', INGEST, { token: owner.token, raw });
    expect(reply.status).toBe(202);
    const plain = await owner.ingest(write([turn('last one wins')]));
    expect(plain.active_fragment_ids).toEqual(reply.as<typeof plain>().active_fragment_ids);
  });

  test('a BOM before the JSON: accepted or 400', async () => {
    const reply = await call(server.url, 'POST', INGEST, {
      token: owner.token,
      raw: `\ufeff${JSON.stringify(write([good]))}`,
    });
    expect([202, 400]).toContain(reply.status);
  });

  const questions: [string, unknown][] = [
    ['top_k 1.0', JSON.parse('{"scope":{"org_id":"a"},"q":"x","top_k":1.0}')],
    ['top_k 50', query('x', { top_k: 50 })],
    ['q of 8,192 in two units each', query('😀'.repeat(8192))],
    ['q of a special token', query('<|endoftext|>')],
    ['q of one space', query(' ')],
    ['q of operators', query('" OR 1=1 -- AND NEAR( * ^ {} [] : \\ \' %')],
    ['q of one NUL', query('\0')],
    ['a kind twice', query('x', { kinds: ['turn', 'turn'] })],
    ['since equal to until', query('x', { since: AT, until: AT })],
    [
      'names of methods',
      JSON.parse(
        '{"scope":{"org_id":"a","__proto__":1},"q":"toString","__proto__":{"mode":"x"},"constructor":1}',
      ),
    ],
  ];
  test.for(questions)('recall with %s: 200', async ([, body]) => {
    await owner.recall(body);
  });
});

test('the order of refusal: 401 before 400, 422 and 415', async () => {
  for (const raw of ['{', JSON.stringify(write([])), '{}']) {
    refused(await call(server.url, 'POST', INGEST, { raw }), 401);
  }
});
