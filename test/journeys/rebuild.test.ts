import { expect, it } from 'vitest';
import {
  accessToken,
  type Client,
  connect,
  inParallel,
  send,
  settled,
  withoutFreshness,
} from '../support/http/client.ts';
import { startServer } from '../support/processes/server.ts';
import { sentence, turn } from '../support/worlds/builders.ts';
import { forgetProjections } from '../support/worlds/generations.ts';

const environment = {
  TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
  TURNSTONE_QUOTA_TOKENS_IN: '0',
  TURNSTONE_QUOTA_TOKENS_OUT: '0',
};
const TURNS = 360;
const USERS = ['ada', 'grace', 'edsger'];
const FACTS = [
  'My sister Grace moved to Lisbon in March.',
  'I work at Hooli as a welder.',
  'Igor married Marta in 2019.',
];

const scopeOf = (n: number) => ({ user_id: USERS[n % 3]!, session_id: `session-${n % 4}` });

const batchOf = (batch: number) =>
  Array.from({ length: 6 }, (_, i) => {
    const n = batch * 6 + i;
    const observations = n % 5 === 0 ? [`ref${n} matters`, { text: `somebody asked for ref${n}` }] : [];
    return turn(n, {
      role: n % 2 ? 'Ada' : 'assistant',
      observations,
      ...(n % 9 === 4 && { text: `${FACTS[n % 3]} ref${n}` }),
    });
  });

/**
 * Turns of three users and four sessions, with client observations, with facts for the extractor, some of one
 * tier.
 */
const fill = async (client: Client): Promise<string[]> => {
  const jobs: string[] = [];
  await inParallel(TURNS / 6, 4, async batch => {
    const options = { write_active: batch % 10 !== 3, write_passive: batch % 10 !== 7 };
    const { job_id } = await client.ingest({
      scope: scopeOf(batch),
      turns: batchOf(batch),
      options,
      metadata: { batch },
    });
    jobs[batch] = job_id;
  });
  return jobs;
};

const QUERIES = Array.from({ length: 30 }, (_, n) => ({
  q:
    n % 3 === 0
      ? 'Where did Grace move?'
      : n % 3 === 1
        ? sentence(n * 11)
        : `who ${sentence(n * 7)
            .split(' ')
            .slice(2, 6)
            .join(' ')}?`,
  mode: n % 2 ? ('deep' as const) : ('active' as const),
  include_timeline: n % 4 === 0,
  top_k: 5 + n,
  scope: [{}, { user_id: USERS[n % 3]! }, scopeOf(n), { session_id: `session-${n % 4}` }][n % 4]!,
  ...(n % 5 === 2 && { since: '2026-03-01T01:00:00Z', until: '2026-03-01T05:00:00Z' }),
  ...(n % 6 === 5 && { kinds: ['observation' as const, 'entity' as const] }),
}));

const answersOf = async (client: Client, jobs: string[]): Promise<unknown> => {
  const recalls: unknown[] = [];
  for (const query of QUERIES) recalls.push(withoutFreshness(await client.recall(query)));
  const states = await Promise.all(jobs.map(job => client.job(job)));
  const me = await client.request('GET', '/me');
  return { recalls, states, me: me.body };
};

/**
 * Invariant 4. Switched off by hand: the fold of a turn (projections/recall/recall-writes.ts) reads the
 * machine's clock → other timestamps in all recalls ("1772264330" for "1772264338").
 */
it('answers the same after its projections were lost', async () => {
  const first = await startServer({ environment });
  const token = await accessToken(first.url, first.apiKey);
  const client = await connect(first, token);
  const jobs = await fill(client);
  const signup = await send<{ api_key: string }>(`${first.url}/signup`, 'POST', { org_id: 'another' });
  const other = await connect({ url: first.url, apiKey: signup.body.api_key });
  await other.ingest({ turns: [turn(1)] });
  const revoked = await client.request<{ id: string; api_key: string }>('POST', '/me/api-keys', {
    name: 'gone',
  });
  await client.request('DELETE', `/me/api-keys/${revoked.body.id}`);
  await settled(first.url);
  const before = await answersOf(client, jobs);
  const usage = [await client.today(), await client.month('2026-03'), await other.today()];
  expect(await first.stop()).toBe(0);

  forgetProjections(first.dataDir);
  const second = await startServer({ environment, dataDir: first.dataDir });
  // The token of before: its key and what signed it are still known.
  const again = await connect(second, token);
  await settled(second.url);
  const otherAgain = await connect({ url: second.url, apiKey: signup.body.api_key });
  expect([await again.today(), await again.month('2026-03'), await otherAgain.today()]).toEqual(usage);
  expect(await answersOf(again, jobs)).toEqual(before);
  const exchange = await send(`${second.url}/auth/token-exchange`, 'POST', { api_key: revoked.body.api_key });
  expect(exchange.status).toBe(403);
  const resent = await again.ingest({
    scope: scopeOf(0),
    turns: Array.from({ length: 6 }, (_, n) => turn(n, { role: n % 2 ? 'Ada' : 'assistant' })),
  });
  expect(resent.usage.tokens_in).toBeLessThan(60);
  await second.stop();
});
