import { beforeAll, describe, expect, test } from 'vitest';
import type { Server } from '../../support/processes/server.ts';
import { sharedServer } from '../../support/processes/shared-server.ts';
import { type Caller, type Ingested, ok, places, query, refused, signUp, turn, write } from './kit.ts';

let server: Server;
let owner: Caller;

beforeAll(async () => {
  server = await sharedServer();
  owner = await signUp(server.url);
});

const at = (timestamp: string, text = 'the one instant') => write([turn(text, { timestamp })]);
const idAt = async (timestamp: string, text?: string): Promise<string | undefined> =>
  (await owner.ingest(at(timestamp, text))).active_fragment_ids[0];

describe('timestamps', () => {
  test.for([
    [
      '2026-01-05T09:30:00Z',
      [
        '2026-01-05t09:30:00z',
        '2026-01-05 09:30:00Z',
        '2026-01-05T09:30:00',
        '2026-01-05 09:30:00',
        '2026-01-05T09:30:00.000Z',
        '2026-01-05T09:30:00.0',
        '2026-01-05T09:30:00+00:00',
        '2026-01-05T09:30:00-00:00',
        '2026-01-05T15:00:00+05:30',
        '2026-01-04T10:31:00-22:59',
        '2026-01-06T09:29:00+23:59',
        '2026-01-05 04:30:00-05:00',
        '2026-01-05T09:30:00.0000000000000001Z',
      ],
    ],
    ['2024-02-29T23:59:59.999Z', ['2024-03-01T00:59:59.999+01:00', '2024-02-29T23:59:59.9990']],
    ['1969-12-31T23:59:59.500Z', ['1970-01-01T00:59:59.5+01:00']],
    ['2000-12-31T23:00:00Z', ['2001-01-01T00:00:00+01:00']],
  ] as const)('%s has other spellings', async ([instant, spellings]) => {
    const id = await idAt(instant);
    for (const spelling of spellings) expect(await idAt(spelling), spelling).toBe(id);
    const { usage, job_id } = await owner.ingest(at(spellings[0]));
    expect(usage.tokens_in).toBe(0);
    expect(job_id).toBe((await owner.ingest(at(instant))).job_id);
  });

  test('a millisecond counts, less does not', async () => {
    expect(await idAt('2026-02-01T00:00:00.123Z')).not.toBe(await idAt('2026-02-01T00:00:00.124Z'));
    expect(await idAt('2026-02-01T00:00:00.1231Z')).toBe(await idAt('2026-02-01T00:00:00.1234Z'));
    expect(await idAt('2026-02-01T00:00:00.1Z')).toBe(await idAt('2026-02-01T00:00:00.100Z'));
  });

  test.for([
    '',
    ' ',
    '2026-01-05',
    '2026-01-05T',
    '2026-01-05T09',
    '2026-01-05T09:30',
    '2026-01-05T09:30Z',
    '2026-01-05T09:30:60Z',
    '2026-01-05T23:59:60Z',
    '2016-12-31T23:59:60Z',
    '2026-01-05T24:00:00Z',
    '2026-01-05T09:60:00Z',
    '2026-13-05T09:30:00Z',
    '2026-00-05T09:30:00Z',
    '2026-01-00T09:30:00Z',
    '2026-01-32T09:30:00Z',
    '2026-02-29T09:30:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T09:30:00Z',
    '2026-1-5T9:30:00Z',
    '26-01-05T09:30:00Z',
    '12026-01-05T09:30:00Z',
    '+002026-01-05T09:30:00Z',
    '-2026-01-05T09:30:00Z',
    '2026-01-05T09:30:00+24:00',
    '2026-01-05T09:30:00+01:60',
    '2026-01-05T09:30:00+0100',
    '2026-01-05T09:30:00+01',
    '2026-01-05T09:30:00.Z',
    '2026-01-05T09:30:00,5Z',
    '2026-01-05T09:30:00 Z',
    ' 2026-01-05T09:30:00Z',
    '2026-01-05T09:30:00Z ',
    '2026-01-05T09:30:00Z\n',
    '2026-01-05_09:30:00Z',
    '2026-01-05  09:30:00Z',
    '2026/01/05T09:30:00Z',
    '20260105T093000Z',
    '1767605400',
    '1767605400000',
    'now',
    'Mon, 05 Jan 2026 09:30:00 GMT',
    '2026-W02-1T09:30:00Z',
    '2026-005T09:30:00Z',
    '٢٠٢٦-٠١-٠٥T09:30:00Z',
    '2026-01-05T09:30:00ZZ',
    '2026-01-05T09:30:00[UTC]',
    '2026-01-05T09:30:00\u221201:00',
    '2026-01-05T09:30:00Z\0',
    `2026-01-05T09:30:00.${'1'.repeat(100_000)}x`,
  ])('%j: 422', async timestamp => {
    const refusal = refused(await owner.send('POST', '/ingestion/memory', at(timestamp)), 422);
    expect(places(refusal)).toEqual(['body.turns.0.timestamp']);
    if (timestamp !== '2026-01-05') return;
    refused(await owner.send('POST', '/recall', query('x', { since: timestamp, until: timestamp })), 422);
  });

  test.for([
    ['0000-01-01T00:00:00Z', '-62167219200'],
    ['0001-01-01T00:00:00Z', '-62135596800'],
    ['0099-06-01T00:00:00Z', '-59029948800'],
    ['9999-12-31T23:59:59Z', '253402300799'],
    ['1969-12-31T23:59:59Z', '-1'],
  ] as const)('an instant far away, %s, is kept and told as it is', async ([timestamp, seconds]) => {
    const reply = await owner.send('POST', '/ingestion/memory', at(timestamp, `far away ${timestamp}`));
    const [id] = ok<Ingested>(reply, 202).active_fragment_ids;
    const hits = (
      await owner.recall(
        query(`far away ${timestamp}`, { kinds: ['turn'], since: timestamp, until: timestamp }),
      )
    ).hits.turns;
    expect(hits.find(hit => hit.id === id)).toMatchObject({
      timestamp: seconds,
      text: `[${timestamp.slice(0, 10)}] [user] far away ${timestamp}`,
    });
  });

  test.for(['0000-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
    'an instant whose UTC year has no four digits, %s: kept or 422, never a fault',
    async timestamp => {
      const reply = await owner.send('POST', '/ingestion/memory', at(timestamp));
      expect([202, 422]).toContain(reply.status);
      if (reply.status === 202)
        await owner.recall(query('the one instant', { top_k: 30, include_timeline: true }));
    },
  );
});
