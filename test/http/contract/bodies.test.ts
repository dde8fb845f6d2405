import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/server.ts';
import { AT, type Caller, call, MARK, places, query, refused, signUp, turn, write } from './kit.ts';

let server: Server;
let owner: Caller;

beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '100000' } });
  owner = await signUp(server.url);
});
afterAll(() => server?.stop());

type Case = [what: string, body: unknown, status: 400 | 422, places: string[]];

const INGEST = '/ingestion/memory';
const good = turn('fine');
const scope = (rest: object) => ({ scope: { org_id: 'any', ...rest }, turns: [good] });
const ofTurn = (rest: object) => write([{ ...good, ...rest }]);
const without = (name: keyof typeof good) => {
  const { [name]: _, ...rest } = good;
  return write([rest]);
};
const long = (count: number, character = 'x') => MARK + character.repeat(count - MARK.length);

const ingestion: Case[] = [
  ['null', null, 400, ['body']],
  ['an array', [], 400, ['body']],
  ['a string', MARK, 400, ['body']],
  ['a number', 7, 400, ['body']],
  ['true', true, 400, ['body']],
  ['nothing in it', {}, 400, ['body.scope', 'body.turns']],
  ['no scope', { turns: [good] }, 400, ['body.scope']],
  ['no turns', { scope: { org_id: 'any' } }, 400, ['body.turns']],
  [
    'null everywhere',
    { scope: null, turns: null, options: null, metadata: null },
    400,
    ['body.metadata', 'body.options', 'body.scope', 'body.turns'],
  ],
  ['scope a string', { scope: MARK, turns: [good] }, 400, ['body.scope']],
  ['scope an array', { scope: [], turns: [good] }, 400, ['body.scope']],
  ['no org_id', { scope: {}, turns: [good] }, 400, ['body.scope.org_id']],
  [
    'org_id only by __proto__',
    JSON.parse(`{"scope":{"__proto__":{"org_id":"any"}},"turns":[${JSON.stringify(good)}]}`),
    400,
    ['body.scope.org_id'],
  ],
  ['org_id null', scope({ org_id: null }), 400, ['body.scope.org_id']],
  ['org_id a number', scope({ org_id: 7 }), 400, ['body.scope.org_id']],
  ['org_id empty', scope({ org_id: '' }), 422, ['body.scope.org_id']],
  ['org_id of 257', scope({ org_id: long(257) }), 422, ['body.scope.org_id']],
  ['user_id null', scope({ user_id: null }), 400, ['body.scope.user_id']],
  ['user_id a number', scope({ user_id: 7 }), 400, ['body.scope.user_id']],
  ['user_id of 257', scope({ user_id: long(257) }), 422, ['body.scope.user_id']],
  ['session_id a number', scope({ session_id: 7 }), 400, ['body.scope.session_id']],
  ['session_id null', scope({ session_id: null }), 400, ['body.scope.session_id']],
  ['session_id an array', scope({ session_id: [MARK] }), 400, ['body.scope.session_id']],
  ['session_id of 257', scope({ session_id: long(257) }), 422, ['body.scope.session_id']],
  ['turns an object', write({ 0: good, length: 1 }), 400, ['body.turns']],
  ['turns a string', write(MARK), 400, ['body.turns']],
  ['turns empty', write([]), 422, ['body.turns']],
  ['1,001 turns', write(Array.from({ length: 1001 }, () => good)), 422, ['body.turns']],
  ['a turn null', write([good, null]), 400, ['body.turns.1']],
  ['a turn a string', write([MARK]), 400, ['body.turns.0']],
  ['a turn an array', write([[]]), 400, ['body.turns.0']],
  ['a turn empty', write([{}]), 400, ['body.turns.0.role', 'body.turns.0.text', 'body.turns.0.timestamp']],
  ['no text', without('text'), 400, ['body.turns.0.text']],
  ['no role', without('role'), 400, ['body.turns.0.role']],
  ['no timestamp', without('timestamp'), 400, ['body.turns.0.timestamp']],
  ['text null', ofTurn({ text: null }), 400, ['body.turns.0.text']],
  ['text a number', ofTurn({ text: 7 }), 400, ['body.turns.0.text']],
  ['text an object', ofTurn({ text: { toString: MARK } }), 400, ['body.turns.0.text']],
  ['text empty', ofTurn({ text: '' }), 422, ['body.turns.0.text']],
  ['text of 65,537', ofTurn({ text: long(65_537) }), 422, ['body.turns.0.text']],
  ['text of 65,537 in two units each', ofTurn({ text: '😀'.repeat(65_537) }), 422, ['body.turns.0.text']],
  ['role null', ofTurn({ role: null }), 400, ['body.turns.0.role']],
  ['role a number', ofTurn({ role: 1 }), 400, ['body.turns.0.role']],
  ['role empty', ofTurn({ role: '' }), 422, ['body.turns.0.role']],
  ['role of 65', ofTurn({ role: long(65) }), 422, ['body.turns.0.role']],
  ['role of 65 in two units each', ofTurn({ role: '😀'.repeat(65) }), 422, ['body.turns.0.role']],
  ...['[', ']', '\n', '\t', '\0', '\x1b', '\x7f', '\x85', '\x9f'].map(
    (character): Case => [
      `role with ${JSON.stringify(character)} ${character.charCodeAt(0).toString(16)}`,
      ofTurn({ role: `${MARK}${character}` }),
      422,
      ['body.turns.0.role'],
    ],
  ),
  ['timestamp a number', ofTurn({ timestamp: 1767225600 }), 400, ['body.turns.0.timestamp']],
  ['timestamp null', ofTurn({ timestamp: null }), 400, ['body.turns.0.timestamp']],
  ['timestamp no instant', ofTurn({ timestamp: MARK }), 422, ['body.turns.0.timestamp']],
  ['observations null', ofTurn({ observations: null }), 400, ['body.turns.0.observations']],
  ['observations a string', ofTurn({ observations: MARK }), 400, ['body.turns.0.observations']],
  ['observations an object', ofTurn({ observations: { text: MARK } }), 400, ['body.turns.0.observations']],
  ['an observation null', ofTurn({ observations: ['a', null] }), 400, ['body.turns.0.observations.1']],
  ['an observation a number', ofTurn({ observations: [7] }), 400, ['body.turns.0.observations.0']],
  ['an observation an array', ofTurn({ observations: [['x']] }), 400, ['body.turns.0.observations.0']],
  ['an observation without text', ofTurn({ observations: [{}] }), 400, ['body.turns.0.observations.0.text']],
  [
    'an observation whose text is a number',
    ofTurn({ observations: [{ text: 7 }] }),
    400,
    ['body.turns.0.observations.0.text'],
  ],
  ['an observation of 4,097', ofTurn({ observations: [long(4097)] }), 422, ['body.turns.0.observations.0']],
  [
    'an observation object of 4,097',
    ofTurn({ observations: [{ text: long(4097) }] }),
    422,
    ['body.turns.0.observations.0.text'],
  ],
  [
    '65 observations',
    ofTurn({ observations: Array.from({ length: 65 }, (_, i) => `${i}`) }),
    422,
    ['body.turns.0.observations'],
  ],
  ['options an array', write([good], { options: [] }), 400, ['body.options']],
  ['options null', write([good], { options: null }), 400, ['body.options']],
  ['options true', write([good], { options: true }), 400, ['body.options']],
  [
    'write_active a string',
    write([good], { options: { write_active: 'true' } }),
    400,
    ['body.options.write_active'],
  ],
  [
    'write_active null',
    write([good], { options: { write_active: null } }),
    400,
    ['body.options.write_active'],
  ],
  [
    'write_passive a number',
    write([good], { options: { write_passive: 0 } }),
    400,
    ['body.options.write_passive'],
  ],
  ['metadata an array', write([good], { metadata: [MARK] }), 400, ['body.metadata']],
  ['metadata a string', write([good], { metadata: MARK }), 400, ['body.metadata']],
  ['metadata null', write([good], { metadata: null }), 400, ['body.metadata']],
  ['metadata of 16,385 bytes', write([good], { metadata: { a: long(16_385 - 8) } }), 422, ['body.metadata']],
  [
    'metadata of 16,385 bytes and fewer characters',
    write([good], { metadata: { a: `${'é'.repeat(8188)}x` } }),
    422,
    ['body.metadata'],
  ],
  [
    'a 400 beside a 422 is a 400 that lists both',
    write([
      { ...good, text: '' },
      { ...good, role: 7 },
    ]),
    400,
    ['body.turns.0.text', 'body.turns.1.role'],
  ],
  [
    'faults at every level',
    {
      scope: { org_id: '', session_id: 7 },
      turns: [{ role: '[', text: 7, timestamp: MARK, observations: ['', 5] }],
      options: { write_active: 'no' },
      metadata: [],
    },
    400,
    [
      'body.metadata',
      'body.options.write_active',
      'body.scope.org_id',
      'body.scope.session_id',
      'body.turns.0.observations.0',
      'body.turns.0.observations.1',
      'body.turns.0.role',
      'body.turns.0.text',
      'body.turns.0.timestamp',
    ],
  ],
  [
    'values only, at every level',
    {
      scope: { org_id: '', session_id: long(257) },
      turns: [{ role: '[', text: '', timestamp: MARK, observations: [''] }],
      options: { write_active: false, write_passive: false },
      metadata: { a: long(20_000) },
    },
    422,
    [
      'body.metadata',
      'body.options',
      'body.scope.org_id',
      'body.scope.session_id',
      'body.turns.0.observations.0',
      'body.turns.0.role',
      'body.turns.0.text',
      'body.turns.0.timestamp',
    ],
  ],
  [
    'both writes off',
    write([good], { options: { write_active: false, write_passive: false } }),
    422,
    ['body.options'],
  ],
];

const recalls: Case[] = [
  ['null', null, 400, ['body']],
  ['an array', [{}], 400, ['body']],
  ['nothing in it', {}, 400, ['body.q', 'body.scope']],
  ['no q', { scope: { org_id: 'any' } }, 400, ['body.q']],
  ['q null', query(null), 400, ['body.q']],
  ['q a number', query(7), 400, ['body.q']],
  ['q an array', query([MARK]), 400, ['body.q']],
  ['q empty', query(''), 422, ['body.q']],
  ['q of 8,193', query(long(8193)), 422, ['body.q']],
  ['q of 8,193 in two units each', query('😀'.repeat(8193)), 422, ['body.q']],
  ['no scope', { q: 'x' }, 400, ['body.scope']],
  ['scope null', { q: 'x', scope: null }, 400, ['body.scope']],
  ['no org_id', { q: 'x', scope: { session_id: 's' } }, 400, ['body.scope.org_id']],
  ['org_id empty', { q: 'x', scope: { org_id: '' } }, 422, ['body.scope.org_id']],
  ['org_id of 257', { q: 'x', scope: { org_id: long(257) } }, 422, ['body.scope.org_id']],
  ['session_id 7', { q: 'x', scope: { org_id: 'a', session_id: 7 } }, 400, ['body.scope.session_id']],
  ['session_id null', { q: 'x', scope: { org_id: 'a', session_id: null } }, 400, ['body.scope.session_id']],
  [
    'session_id of 257',
    { q: 'x', scope: { org_id: 'a', session_id: long(257) } },
    422,
    ['body.scope.session_id'],
  ],
  ['user_id an array', { q: 'x', scope: { org_id: 'a', user_id: ['a'] } }, 400, ['body.scope.user_id']],
  ['user_id null', { q: 'x', scope: { org_id: 'a', user_id: null } }, 400, ['body.scope.user_id']],
  ['user_id of 257', { q: 'x', scope: { org_id: 'a', user_id: long(257) } }, 422, ['body.scope.user_id']],
  ['mode fast', query('x', { mode: MARK }), 400, ['body.mode']],
  ['mode ACTIVE', query('x', { mode: 'ACTIVE' }), 400, ['body.mode']],
  ['mode __proto__', query('x', { mode: '__proto__' }), 400, ['body.mode']],
  ['mode empty', query('x', { mode: '' }), 400, ['body.mode']],
  ['mode null', query('x', { mode: null }), 400, ['body.mode']],
  ['mode a number', query('x', { mode: 1 }), 400, ['body.mode']],
  ['mode in an array', query('x', { mode: ['deep'] }), 400, ['body.mode']],
  ['top_k a string', query('x', { top_k: '5' }), 400, ['body.top_k']],
  ['top_k null', query('x', { top_k: null }), 400, ['body.top_k']],
  ['top_k true', query('x', { top_k: true }), 400, ['body.top_k']],
  ['top_k 1.5', query('x', { top_k: 1.5 }), 400, ['body.top_k']],
  ['top_k 0', query('x', { top_k: 0 }), 422, ['body.top_k']],
  ['top_k -1', query('x', { top_k: -1 }), 422, ['body.top_k']],
  ['top_k 51', query('x', { top_k: 51 }), 422, ['body.top_k']],
  ['top_k 1e15', query('x', { top_k: 1e15 }), 422, ['body.top_k']],
  ['include_timeline a string', query('x', { include_timeline: 'true' }), 400, ['body.include_timeline']],
  ['include_timeline null', query('x', { include_timeline: null }), 400, ['body.include_timeline']],
  ['include_timeline 1', query('x', { include_timeline: 1 }), 400, ['body.include_timeline']],
  ['kinds empty', query('x', { kinds: [] }), 422, ['body.kinds']],
  ['kinds a string', query('x', { kinds: 'turn' }), 400, ['body.kinds']],
  ['kinds null', query('x', { kinds: null }), 400, ['body.kinds']],
  ['kinds unknown', query('x', { kinds: ['turn', MARK] }), 400, ['body.kinds.1']],
  ['kinds null in it', query('x', { kinds: [null] }), 400, ['body.kinds.0']],
  ['kinds a number in it', query('x', { kinds: [1] }), 400, ['body.kinds.0']],
  ['since a number', query('x', { since: 1 }), 400, ['body.since']],
  ['since null', query('x', { since: null }), 400, ['body.since']],
  ['since no instant', query('x', { since: MARK }), 422, ['body.since']],
  ['until a date alone', query('x', { until: '2026-01-01' }), 422, ['body.until']],
  ['until empty', query('x', { until: '' }), 422, ['body.until']],
  ['explain a string', query('x', { explain: 'true' }), 400, ['body.explain']],
  ['as_of a number', query('x', { as_of: 1 }), 400, ['body.as_of']],
  ['as_of no instant', query('x', { as_of: MARK }), 422, ['body.as_of']],
  ['as_of to come', query('x', { as_of: '9999-01-01T00:00:00Z' }), 422, ['body.as_of']],
  [
    'all at once',
    {
      scope: { org_id: 7 },
      q: '',
      mode: 'x',
      top_k: 99,
      include_timeline: 0,
      kinds: [],
      since: '',
      until: 1,
    },
    400,
    [
      'body.include_timeline',
      'body.kinds',
      'body.mode',
      'body.q',
      'body.scope.org_id',
      'body.since',
      'body.top_k',
      'body.until',
    ],
  ],
  [
    'all values at once',
    { scope: { org_id: '' }, q: '', top_k: 99, kinds: [], since: '' },
    422,
    ['body.kinds', 'body.q', 'body.scope.org_id', 'body.since', 'body.top_k'],
  ],
];

const keys: Case[] = [
  ['null', null, 400, ['body']],
  ['no name', {}, 400, ['body.name']],
  ['name null', { name: null }, 400, ['body.name']],
  ['name a number', { name: 7 }, 400, ['body.name']],
  ['name empty', { name: '' }, 422, ['body.name']],
  ['name of 129', { name: long(129) }, 422, ['body.name']],
  ['roles empty', { name: 'a', roles: [] }, 422, ['body.roles']],
  ['roles a string', { name: 'a', roles: '*' }, 400, ['body.roles']],
  ['roles null', { name: 'a', roles: null }, 400, ['body.roles']],
  ['a role unknown', { name: 'a', roles: ['*', MARK] }, 400, ['body.roles.1']],
  ['a role null', { name: 'a', roles: [null] }, 400, ['body.roles.0']],
  ['a role toString', { name: 'a', roles: ['toString'] }, 400, ['body.roles.0']],
  ['user_id null', { name: 'a', user_id: null }, 400, ['body.user_id']],
  ['user_id a number', { name: 'a', user_id: 7 }, 400, ['body.user_id']],
  ['user_id of 257', { name: 'a', user_id: long(257) }, 422, ['body.user_id']],
  ['session_id null', { name: 'a', session_id: null }, 400, ['body.session_id']],
  ['session_id a number', { name: 'a', session_id: 7 }, 400, ['body.session_id']],
  ['session_id of 257', { name: 'a', session_id: long(257) }, 422, ['body.session_id']],
  [
    'all at once',
    { roles: [], user_id: long(257), session_id: 7 },
    400,
    ['body.name', 'body.roles', 'body.session_id', 'body.user_id'],
  ],
];

const signups: Case[] = [
  ['null', null, 400, ['body']],
  ['no org_id', {}, 400, ['body.org_id']],
  ['org_id null', { org_id: null }, 400, ['body.org_id']],
  ['org_id a number', { org_id: 77 }, 400, ['body.org_id']],
  ...[
    '',
    'a',
    'Upper',
    '-dash',
    '_under',
    'a b',
    'a.b',
    'a/b',
    'é-é',
    'ab\n',
    `${MARK}!`,
    'a'.repeat(64),
  ].map((org_id): Case => [`org_id ${JSON.stringify(org_id)}`, { org_id }, 422, ['body.org_id']]),
  ['name a number', { org_id: 'fine', name: 7 }, 400, ['body.name']],
  ['name null', { org_id: 'fine', name: null }, 400, ['body.name']],
  ['email a number', { org_id: 'fine', email: 7 }, 400, ['body.email']],
  ['all at once', { org_id: 'X', name: 7, email: [] }, 400, ['body.email', 'body.name', 'body.org_id']],
];

const exchanges: Case[] = [
  ['null', null, 400, ['body']],
  ['no api_key', { apikey: MARK }, 400, ['body.api_key']],
  ['api_key null', { api_key: null }, 400, ['body.api_key']],
  ['api_key a number', { api_key: 7 }, 400, ['body.api_key']],
  ['api_key an array', { api_key: [MARK] }, 400, ['body.api_key']],
];

const refreshes: Case[] = [
  ['an array', [], 400, ['body']],
  ['no refresh_token', {}, 400, ['body.refresh_token']],
  ['refresh_token null', { refresh_token: null }, 400, ['body.refresh_token']],
  ['refresh_token an object', { refresh_token: { $gt: '' } }, 400, ['body.refresh_token']],
];

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
