import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, accessToken, connect, send } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';

/** Tokens a day: less than the large write below has, more than all the others. */
const CAP = 4_000;

let server: Server;
let token: string;
const start = async (dataDir?: string): Promise<void> => {
  server = await startServer({ dataDir, environment: { TURNSTONE_QUOTA_TOKENS_IN: String(CAP) } });
  token = await accessToken(server.url, server.apiKey);
};
beforeAll(() => start());
afterAll(() => server?.stop());

interface Written {
  active_fragment_ids: string[];
  usage: { tokens_in: number };
}

const write = (user: string, ...texts: string[]) => ({
  scope: { org_id: 'any', user_id: user, session_id: 's' },
  turns: texts.map(text => ({ role: 'user', text, timestamp: '2026-01-31T10:00:00Z' })),
});
const post = (body: unknown, bearer = token): Promise<Answer<Written>> =>
  send<Written>(`${server.url}/ingestion/memory`, 'POST', body, bearer);

/** A client that is gone before its answer. */
const abandon = async (body: unknown): Promise<Answer<Written>> => {
  const gone = AbortSignal.timeout(1);
  await fetch(`${server.url}/ingestion/memory`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
    signal: gone,
  }).catch(() => {});
  return { status: 499 } as Answer<Written>;
};

const today = async (): Promise<number> => (await (await connect(server, token)).today()).tokens_in;

test('of writes that arrive together each has its own fate, and what was acknowledged outlives a kill', async () => {
  const faulty: [unknown, number, string?][] = [
    [{ ...write('ada', 'x'), turns: [{ role: 'user', text: 'x', timestamp: 'soon' }] }, 422],
    [{ scope: {} }, 400],
    [write('ada', 'a word '.repeat(CAP)), 429],
    [write('ada', 'of a stranger'), 401, 'no.such.token'],
    [{ ...write('ada', 'late'), options: { expires_at: '2020-01-01T00:00:00Z' } }, 422],
  ];
  const rounds = 12;
  const good: Promise<Answer<Written>>[] = [];
  const bad: Promise<[number, number]>[] = [];
  for (let round = 0; round < rounds; round++) {
    // The same turn from two clients at once, and a turn of each one's own.
    for (const user of ['ada', 'bob', 'cy']) good.push(post(write(user, `said ${round}`, `told ${round}`)));
    for (const [body, status, bearer] of faulty)
      bad.push(post(body, bearer).then(answer => [status, answer.status]));
    good.push(post(write('ada', `said ${round}`)), post(write('bob', `told ${round}`)));
    void abandon(write('cy', `abandoned ${round}`));
  }
  for (const [expected, got] of await Promise.all(bad)) expect(got).toBe(expected);
  const answers = await Promise.all(good);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 202));

  // Whichever copy came first, a turn is stored and billed once.
  const ids = new Set(answers.flatMap(({ body }) => body.active_fragment_ids));
  expect(ids.size).toBe(3 * 2 * rounds);
  const billed = answers.reduce((sum, { body }) => sum + body.usage.tokens_in, 0);
  const before = await today();
  expect(before).toBeGreaterThanOrEqual(billed);
  expect(before).toBeLessThanOrEqual(CAP);

  await server.kill();
  await start(server.dataDir);
  expect(await today()).toBeGreaterThanOrEqual(billed);
  const again = await Promise.all(
    ['ada', 'bob', 'cy'].flatMap(user =>
      Array.from({ length: rounds }, (_, round) => post(write(user, `said ${round}`, `told ${round}`))),
    ),
  );
  expect(again.map(({ body }) => body.usage.tokens_in)).toEqual(again.map(() => 0));
  expect(new Set(again.flatMap(({ body }) => body.active_fragment_ids))).toEqual(ids);
});
