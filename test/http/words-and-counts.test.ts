import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sessions, Turns, Users } from '../../schemas/http/lists.ts';
import type { MemoryStats } from '../../schemas/http/stats.ts';
import { type Client, connect, expectStatus } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

/** Far from midnight. */
const NOON = '2026-05-10T12:00:00Z';
const TODAY = NOON.slice(0, 10);

interface Refused {
  details: { errors: { loc: string[]; type: string }[] } | null;
}

let server: Server;
let owner: Client;
let ben: Client;
beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_CLOCK: NOON } });
  owner = await connect(server);
  const made = await owner.request<{ api_key: string }>('POST', '/me/api-keys', {
    ...{ name: 'k', roles: ['memory:read', 'memory:write'], user_id: 'ben', strict: true },
  });
  ben = await connect({ url: server.url, apiKey: expectStatus(made, 201).api_key });
  const write = (user_id: string, session_id: string, ...texts: string[]) =>
    owner.ingest({
      scope: { user_id, session_id },
      turns: texts.map((text, n) => ({ role: 'user', text, timestamp: `2026-05-0${n + 1}T09:30:00Z` })),
    });
  const { passive_job_id } = await write(
    'ada',
    'monday',
    'I repaired the roof of the shed.',
    'I live in Lyon.',
  );
  await write('ada', 'tuesday', 'The boat needs paint.');
  await write('ben', 'monday', 'A new roof is expensive.');
  await until('the turns are enriched', async () => (await owner.job(passive_job_id!)).status === 'done');
});
afterAll(() => server.stop());

const get = async <T>(client: Client, path: string): Promise<T> =>
  expectStatus(await client.request<T>('GET', path), 200);
const refused = async (path: string): Promise<string[]> => {
  const { status, body } = await owner.request<Refused>('GET', path);
  return [String(status), ...(body.details?.errors ?? []).map(({ loc, type }) => `${loc.join('.')} ${type}`)];
};

describe('lists of what has words', () => {
  it('are of what the caller may see', async () => {
    const all = await get<Turns>(owner, '/memory/turns?q=roofs');
    expect(all.turns.map(({ user_id, match }) => [user_id, match?.by]).sort()).toEqual([
      ['ada', 'text'],
      ['ben', 'text'],
    ]);
    const bens = await get<Turns>(ben, '/memory/turns?q=roofs');
    expect(bens.turns.map(({ user_id }) => user_id)).toEqual(['ben']);
    expect((await get<Users>(ben, '/memory/users?q=shed')).users).toEqual([]);
    const sessions = await get<Sessions>(owner, '/memory/sessions?q=boat');
    expect(sessions.sessions).toMatchObject([
      { session_id: 'tuesday', turns: 1, match: { by: 'text', text: 'The boat needs paint.' } },
    ]);
  });

  it('go on with their own cursor, which is sealed', async () => {
    const first = await get<Turns>(owner, '/memory/turns?q=roof&limit=1');
    expect(Buffer.from(first.next_cursor!, 'base64url').toString('latin1')).not.toMatch(/turns/);
    const second = await get<Turns>(owner, `/memory/turns?q=roof&limit=1&cursor=${first.next_cursor}`);
    expect(second.next_cursor).toBeNull();
    expect(new Set([...first.turns, ...second.turns].map(({ id }) => id)).size).toBe(2);
    for (const path of [
      `/memory/turns?limit=1&cursor=${first.next_cursor}`,
      `/memory/turns?q=boat&limit=1&cursor=${first.next_cursor}`,
      `/memory/sessions?q=roof&limit=1&cursor=${first.next_cursor}`,
    ])
      expect(await refused(path), path).toEqual(['422', 'query.cursor cursor']);
  });

  it('have no other order, and words that are not too many', async () => {
    expect(await refused('/memory/users?q=a&sort=last_at')).toEqual(['422', 'query.sort contradiction']);
    expect(await refused('/memory/turns?q=a&order=desc')).toEqual(['422', 'query.order contradiction']);
    expect(await refused('/memory/turns?q=')).toEqual(['422', 'query.q too_short']);
    expect(await refused(`/memory/turns?q=${'a'.repeat(8_193)}`)).toEqual(['422', 'query.q too_long']);
    expect((await get<Turns>(owner, '/memory/turns?q=%3F%21')).turns).toEqual([]);
  });

  it('cost no tokens', async () => {
    const before = await owner.today();
    await get(owner, '/memory/turns?q=roof');
    await get(owner, '/memory/facts?user_id=ada&q=lyon');
    expect(await owner.today()).toEqual(before);
  });
});

describe('counts by day', () => {
  const stats = (query = '', client = owner) => get<MemoryStats>(client, `/memory/stats${query}`);

  it('are of all days that are asked for, of the organization and of one user', async () => {
    await owner.recall({ q: 'Who repaired the roof?', scope: { org_id: 'local', user_id: 'ada' } });
    await owner.recall({ q: 'Who repaired the roof?' });
    await until('the recalls are counted', async () => (await stats()).days.at(-1)!.recalls === 2);
    await until('the facts are counted', async () => (await stats()).days.at(-1)!.facts > 0);
    const all = await stats('?days=3');
    expect(all.days.map(({ day }) => day)).toEqual(['2026-05-08', '2026-05-09', TODAY]);
    expect(all.days[0]).toEqual({ day: '2026-05-08', turns: 0, users: 0, sessions: 0, facts: 0, recalls: 0 });
    expect(all.days[2]).toMatchObject({ day: TODAY, turns: 4, users: 2, sessions: 3, recalls: 2 });
    const sum = (bins: { recalls: number }[]) => bins.reduce((total, { recalls }) => total + recalls, 0);
    expect([sum(all.latency_ms), sum(all.confidence)]).toEqual([2, 2]);
    const ada = await stats('?user_id=ada');
    expect(ada.days).toHaveLength(30);
    expect(ada.days.at(-1)).toMatchObject({ turns: 3, users: 1, sessions: 2, recalls: 1 });
    expect(ada.days.at(-1)!.facts).toBe(all.days[2]!.facts);
    expect((await stats('', ben)).days.at(-1)).toMatchObject({
      turns: 1,
      users: 1,
      sessions: 1,
      facts: 0,
      recalls: 0,
    });
    expect((await ben.request('GET', '/memory/stats?user_id=ada')).status).toBe(403);
    expect(await refused('/memory/stats?days=367')).toEqual(['422', 'query.days out_of_range']);
  });

  it('stay when a user is erased, who is no longer found', async () => {
    const before = (await stats('?days=1')).days[0];
    expect((await owner.request('DELETE', '/memory?user_id=ada')).status).toBe(200);
    expect((await stats('?days=1')).days[0]).toEqual(before);
    expect((await stats('?days=1&user_id=ada')).days[0]).toMatchObject({
      turns: 0,
      users: 0,
      sessions: 0,
      facts: 0,
    });
  });
});
