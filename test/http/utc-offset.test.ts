import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ObservationItem, TurnItem } from '../../schemas/http/items.ts';
import type { ReceiptAnswer } from '../../schemas/http/receipts.ts';
import { type Client, connect, expectStatus } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

/** Half past eleven in the evening of 5 March in New York; in UTC it is 6 March. */
const LATE = '2025-03-05T23:30:00-05:00';
const SCOPE = { user_id: 'ada', session_id: 's' };
const TURN = { role: 'user', text: 'I broke my arm yesterday.', timestamp: LATE };

let server: Server;
let client: Client;
beforeAll(async () => {
  server = await startServer();
  client = await connect(server);
  const { passive_job_id } = await client.ingest({
    scope: SCOPE,
    turns: [
      { ...TURN, observations: ['Ada is left-handed.'] },
      { role: 'user', text: 'I walked the dog yesterday.', timestamp: '2025-03-06T04:30:00Z' },
      { role: 'user', text: 'I moved to Lyon today.', timestamp: '2025-03-06T07:30:00+11:00' },
    ],
  });
  await until('the turns are enriched', async () => (await client.job(passive_job_id!)).status === 'done');
});
afterAll(() => server.stop());

const get = async <T>(path: string): Promise<T> => expectStatus(await client.request<T>('GET', path), 200);
const observations = async () =>
  (await get<{ observations: ObservationItem[] }>('/memory/observations?user_id=ada')).observations;

describe('the offset of a timestamp', () => {
  it('is kept beside the instant, and only where it was named', async () => {
    const { turns } = await get<{ turns: TurnItem[] }>('/memory/turns?user_id=ada');
    expect(turns.map(({ timestamp, utc_offset }) => [timestamp, utc_offset])).toEqual([
      ['2025-03-05T20:30:00.000Z', 660],
      ['2025-03-06T04:30:00.000Z', -300],
      ['2025-03-06T04:30:00.000Z', undefined],
    ]);
    const found = turns.find(({ utc_offset }) => utc_offset === -300)!;
    expect(await get(`/memory/turns/${found.id}`)).toMatchObject({ utc_offset: -300 });
  });

  it("makes the speaker's days those of what was said", async () => {
    const said = await observations();
    expect(said.map(({ text, utc_offset }) => [text, utc_offset])).toEqual(
      expect.arrayContaining([
        ['The user broke their arm on 4 March 2025.', -300],
        ['The user walked the dog on 5 March 2025.', undefined],
        ['The user moved to Lyon on 6 March 2025.', 660],
        ['Ada is left-handed.', -300],
      ]),
    );
  });

  it('lets nothing begin after the moment at which it was said to be so', async () => {
    const home = (await observations()).find(({ attribute }) => attribute === 'home')!;
    expect(home).toMatchObject({ value: 'Lyon', valid_from: '2025-03-05T20:30:00.000Z' });
  });

  it("dates hits, the context and receipts by the speaker's day", async () => {
    const answer = await client.recall({
      scope: { user_id: 'ada' },
      q: 'Who broke an arm?',
      include_context: true,
      receipt: true,
    });
    const [hit] = answer.hits.turns;
    expect(hit).toMatchObject({
      text: '[2025-03-05] [user] I broke my arm yesterday.',
      said_at: '2025-03-06T04:30:00.000Z',
      utc_offset: -300,
    });
    expect(answer.context).toContain('[2025-03-05] user: "I broke my arm yesterday."');
    const { hits } = await get<ReceiptAnswer>(`/recalls/${answer.receipt_id}`);
    expect(hits.find(({ id }) => id === hit!.id)).toMatchObject({ text: hit!.text, utc_offset: -300 });
  });

  it('is that of the first write: the same instant in another zone is the same turn', async () => {
    const again = await client.ingest({
      scope: SCOPE,
      turns: [{ ...TURN, timestamp: '2025-03-06T05:30:00+01:00' }],
    });
    expect(again.usage.tokens_in).toBe(0);
    const turn = await get<TurnItem>(`/memory/turns/${again.active_fragment_ids[0]}`);
    expect(turn.utc_offset).toBe(-300);
  });

  it('is kept of an observation that is said without a turn', async () => {
    const said = await client.request<ObservationItem>('POST', '/memory/observations', {
      scope: { org_id: 'local', ...SCOPE },
      text: 'Ada likes tea.',
      timestamp: LATE,
    });
    expect(expectStatus(said, 201)).toMatchObject({
      timestamp: '2025-03-06T04:30:00.000Z',
      utc_offset: -300,
    });
  });
});
