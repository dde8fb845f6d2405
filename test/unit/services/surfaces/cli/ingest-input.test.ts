import { expect, it } from 'vitest';
import { makeBatches, type TurnItem } from '../../../../../services/surfaces/cli/ingest/batches.ts';
import { makeFaults } from '../../../../../services/surfaces/cli/ingest/input-faults.ts';
import { linesOf } from '../../../../../services/surfaces/importers/files/lines.ts';
import { jsonLines } from '../../../../../services/surfaces/importers/json-lines.ts';
import { locomoItems, sessionTime } from '../../../../../services/surfaces/importers/locomo.ts';
import type { Item } from '../../../../../services/surfaces/importers/turns/item.ts';

async function* chunks(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part as string);
}

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
};

const linesIn = async (longest: number, ...parts: string[]) => {
  const lines = await all(linesOf(chunks(...parts), longest));
  return lines.map(({ number, bytes, size }) => [number, bytes?.toString(), size]);
};

it('finds lines across chunks, and the last one without an end', async () => {
  expect(await linesIn(100, 'on', 'e\ntwo\n\nfo', 'u', 'r')).toEqual([
    [1, 'one', 4],
    [2, 'two', 4],
    [3, '', 1],
    [4, 'four', 4],
  ]);
  expect(await linesIn(100, 'one\n')).toEqual([[1, 'one', 4]]);
});

it('skips a line beyond the limit and goes on', async () => {
  expect(await linesIn(4, '12', '34', '5', '6\nnext\n1234567')).toEqual([
    [1, undefined, 7],
    [2, 'next', 5],
    [3, undefined, 7],
  ]);
});

const turn = { role: 'Ada', text: 'Grace moved to Lisbon.', timestamp: '2026-04-02T09:30:00Z' };
const itemsIn = (...parts: (string | Buffer)[]): Promise<Item[]> => all(jsonLines(chunks(...parts)));

it('reads turns with their partition and session, and passes over blank lines', async () => {
  const lines = [
    JSON.stringify({ ...turn, user_id: 'u1', session_id: 's1', observations: ['Grace lives in Lisbon.'] }),
    ' \t\r',
    `${JSON.stringify(turn)}\r`,
  ].join('\n');
  expect(await itemsIn(lines)).toEqual([
    {
      location: 1,
      size: expect.any(Number),
      user: 'u1',
      session: 's1',
      turn: { ...turn, observations: ['Grace lives in Lisbon.'] },
    },
    { location: 3, size: expect.any(Number), user: undefined, session: undefined, turn },
  ]);
});

it.each([
  ['no JSON', '{"role":', 'is not JSON'],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'is not valid UTF-8'],
  ['an array', '["role"]', 'is not a JSON object'],
  [
    'a LoCoMo conversation',
    '{"conversation":{}}',
    'is a LoCoMo conversation, not a turn: use --format locomo',
  ],
])('names %s as a fault', async (_, line, fault) => {
  expect(await itemsIn(line)).toMatchObject([{ location: 1, faults: [fault] }]);
});

it.each([
  ['text missing', { ...turn, text: undefined }, /text/],
  ['text empty', { ...turn, text: '' }, /text/],
  ['a role in brackets', { ...turn, role: '[system]' }, /role/],
  ['a date alone', { ...turn, timestamp: '2026-04-02' }, /timestamp/],
  ['a number for a session', { ...turn, session_id: 7 }, /session_id/],
  ['null for a user', { ...turn, user_id: null }, /user_id/],
  ['a number among the observations', { ...turn, observations: ['fine', 7] }, /observations.*1/],
])('names a turn with %s as the service would', async (_, value, fault) => {
  expect(await itemsIn(JSON.stringify(value))).toEqual([
    { location: 1, size: expect.any(Number), faults: [expect.stringMatching(fault)] },
  ]);
});

it('names all faults of a turn', async () => {
  const [item] = await itemsIn('{"role": 7, "text": 8}');
  expect(item).toMatchObject({
    faults: [expect.stringMatching(/role|text|timestamp/), expect.anything(), expect.anything()],
  });
});

it.each([
  ['1:56 pm on 8 May, 2023', '2023-05-08T13:56:00.000Z'],
  ['12:05 am on 1 January, 2024', '2024-01-01T00:05:00.000Z'],
  ['12:30 pm on 29 February, 2024', '2024-02-29T12:30:00.000Z'],
  ['9:01 AM on 30 december 2022', '2022-12-30T09:01:00.000Z'],
])('reads the time of a session: %s', (text, iso) => {
  expect(new Date(sessionTime(text)!).toISOString()).toBe(iso);
});

it.each(['yesterday', '1:56 on 8 May, 2023', '1:56 pm on 8 Mai, 2023', ''])(
  'does not make up a time for %j',
  text => {
    expect(sessionTime(text)).toBeUndefined();
  },
);

const sample = {
  sample_id: 'conv-1',
  conversation: {
    speaker_a: 'Ada',
    session_1_date_time: '1:56 pm on 8 May, 2023',
    session_1: [
      { speaker: 'Ada', dia_id: 'D1:1', text: 'Look!', blip_caption: 'a kite over the sea', query: 'kite' },
      { speaker: 'Grace', dia_id: 'D1:2', text: 'Lovely.' },
    ],
    session_2_date_time: '1:56 pm on 9 May, 2023',
  },
};

it('reads LoCoMo: a second a turn, captions in the text, never the query', () => {
  expect(locomoItems([sample], 200)).toEqual([
    {
      location: 'conv-1 session_1, turn 1',
      size: 100,
      user: 'conv-1',
      session: 'session_1',
      turn: {
        role: 'Ada',
        text: 'Look! [shared a photo: a kite over the sea]',
        timestamp: '2023-05-08T13:56:00.000Z',
      },
    },
    {
      location: 'conv-1 session_1, turn 2',
      size: 100,
      user: 'conv-1',
      session: 'session_1',
      turn: { role: 'Grace', text: 'Lovely.', timestamp: '2023-05-08T13:56:01.000Z' },
    },
  ]);
});

it('names what is wrong in LoCoMo by its location', () => {
  const { session_1_date_time: _, ...undated } = sample.conversation;
  const broken = [
    { sample_id: 'a', conversation: undated },
    { sample_id: 'b' },
    null,
    { sample_id: 'c', conversation: { ...sample.conversation, session_1: [null, { speaker: 'Ada' }] } },
  ];
  const items = locomoItems(broken, 1) as Extract<Item, { faults: string[] }>[];
  expect(items.map(({ location, faults }) => [location, faults.length > 0])).toEqual([
    ['a session_1', true],
    ['b', true],
    ['conversation-3', true],
    ['c session_1, turn 1', true],
    ['c session_1, turn 2', true],
  ]);
});

const item = (session: string, text = 'x'): TurnItem => ({
  location: 1,
  size: 10,
  session,
  turn: { ...turn, text },
});

it('fills a batch of one scope up to 500 turns', () => {
  const batches = makeBatches();
  const full = Array.from({ length: 501 }, () => batches.add(item('a'))).flat();
  expect(full.map(({ turns, size }) => [turns.length, size])).toEqual([[500, 5_000]]);
  expect(batches.rest().map(({ turns }) => turns.length)).toEqual([1]);
});

it('keeps a batch below 4 MiB of JSON', () => {
  const batches = makeBatches();
  const long = '\u0001'.repeat(65_536); // six bytes a character in JSON
  const all = [...Array.from({ length: 40 }, () => batches.add(item('a', long))).flat(), ...batches.rest()];
  expect(all.reduce((sum, { turns }) => sum + turns.length, 0)).toBe(40);
  for (const { turns } of all)
    expect(Buffer.byteLength(JSON.stringify(turns))).toBeLessThan(4 * 1024 * 1024 - 10_000);
});

it('keeps scopes apart, also when a name looks like two', () => {
  const batches = makeBatches();
  for (const [user, session] of [
    ['a', 'b'],
    ['a","b', ''],
    [undefined, 'b'],
    ['a', 'b'],
  ])
    batches.add({ ...item('x'), user, session });
  expect(batches.rest().map(({ turns }) => turns.length)).toEqual([2, 1, 1]);
});

it('hands out the oldest batch when many scopes are open', () => {
  const batches = makeBatches();
  const long = 'x'.repeat(65_536);
  const full = Array.from({ length: 600 }, (_, index) => batches.add(item(`s${index}`, long))).flat();
  expect(full.length).toBeGreaterThan(50);
  expect(full[0]!.session).toBe('s0');
  expect(full.length + batches.rest().length).toBe(600);
});

it('tells a hundred faults in full and the locations of all others', () => {
  const faults = makeFaults();
  for (let line = 1; line <= 105; line++) faults.add(line, ['is not JSON']);
  faults.add(200, ['is not JSON']);
  const lines = faults.lines();
  expect(lines).toHaveLength(101);
  expect(lines[0]).toBe('line 1: is not JSON');
  expect(lines[100]).toBe('and 6 more: 101-105, 200');
});
