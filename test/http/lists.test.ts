import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EntityItem, TurnDetails, TurnItem } from '../../schemas/http/items.ts';
import { type Client, connect, expectStatus, send } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

interface Refused {
  details: { errors: { loc: string[]; type: string }[] } | null;
}
type Turns = { turns: TurnItem[]; next_cursor: string | null };
type Days = { start: string; end: string; days: { day: string; tokens_in: number; tokens_out: number }[] };

const LISTS = ['users', 'sessions', 'turns', 'observations', 'entities'];
const NEVER_WAS = `trn_${'0'.repeat(32)}`;

/** Far from midnight. */
const NOON = '2026-05-10T12:00:00Z';

let server: Server;
let owner: Client;
let ben: Client;
let writer: Client;
let stranger: Client;
let turnId: string;
beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_CLOCK: NOON } });
  owner = await connect(server);
  const keyOf = async (roles: string[], user_id: string): Promise<Client> => {
    const made = await owner.request<{ api_key: string }>('POST', '/me/api-keys', {
      name: 'k',
      roles,
      user_id,
    });
    return connect({ url: server.url, apiKey: expectStatus(made, 201).api_key });
  };
  ben = await keyOf(['memory:read', 'usage:read'], 'ben');
  writer = await keyOf(['memory:write'], 'ben');
  const other = await owner.request<{ api_key: string }>('POST', '/signup', { org_id: 'globex' });
  stranger = await connect({ url: server.url, apiKey: expectStatus(other, 201).api_key });
  const text = 'Grace moved to Lisbon in March.';
  const turn = {
    role: 'Ada',
    text,
    timestamp: '2026-04-02T09:30:00+02:00',
    observations: ['Grace lives abroad'],
  };
  const { active_fragment_ids, passive_job_id } = await owner.ingest({
    scope: { user_id: 'ada', session_id: 'monday' },
    turns: [turn, { ...turn, text: 'She has a view of the river.', timestamp: '2026-04-02T07:31:00Z' }],
  });
  turnId = active_fragment_ids[0]!;
  await until('the turns are enriched', async () => (await owner.job(passive_job_id!)).status === 'done');
});
afterAll(() => server.stop());

const get = <T = Refused>(client: Client, path: string) => client.request<T>('GET', path);
const faultsOf = ({ body }: { body: Refused }): string[] =>
  body.details!.errors.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort();

describe('who may read', () => {
  it('is whoever has the role', async () => {
    for (const path of [...LISTS, `turns/${turnId}`]) {
      expect((await send(`${server.url}/memory/${path}`, 'GET')).status, path).toBe(401);
      expect((await get(writer, `/memory/${path}`)).status, path).toBe(403);
      expect((await get(owner, `/memory/${path}`)).status, path).toBe(200);
    }
    expect((await get(writer, '/usage/daily')).status).toBe(403);
    expect((await get(ben, '/usage/daily')).status).toBe(200);
    // The role comes before the faults of a query.
    expect((await get(writer, '/memory/turns?limit=0')).status).toBe(403);
  });

  it('sees its own user, unless it may name any', async () => {
    for (const path of ['sessions', 'turns', 'observations', 'entities']) {
      expect((await get(ben, `/memory/${path}?user_id=ada`)).status, path).toBe(403);
      expect((await get(ben, `/memory/${path}?user_id=ben`)).status, path).toBe(200);
    }
    expect((await get<{ users: object[] }>(ben, '/memory/users')).body.users).toEqual([]);
    expect((await get(ben, `/memory/turns/${turnId}`)).status).toBe(404);
    expect((await get(stranger, `/memory/turns/${turnId}`)).status).toBe(404);
    expect((await get<Turns>(stranger, '/memory/turns?user_id=ada')).body.turns).toEqual([]);
  });
});

describe('what is asked wrongly', () => {
  it('is told all at once', async () => {
    const bad = await get(
      owner,
      '/memory/turns?limit=201&since=yesterday&until=2026-02-30T00:00:00Z&order=up&cursor=%20&user_id=&role=',
    );
    // A value outside of an enumeration is a fault of form, and names the others too.
    expect(bad.status).toBe(400);
    expect(faultsOf(bad)).toEqual([
      'query.cursor cursor',
      'query.limit out_of_range',
      'query.order not_allowed',
      'query.role too_short',
      'query.since timestamp',
      'query.until timestamp',
      'query.user_id too_short',
    ]);
    const twice = await get(owner, '/memory/entities?kind=a&kind=b&limit=0');
    expect([twice.status, faultsOf(twice)]).toEqual([
      422,
      ['query.kind repeated', 'query.limit out_of_range'],
    ]);
    const turned = await get(
      owner,
      '/memory/observations?since=2026-03-02T00:00:00Z&until=2026-03-01T00:00:00Z',
    );
    expect([turned.status, faultsOf(turned)]).toEqual([422, ['query.until contradiction']]);
    for (const limit of ['ten', '1.5', '1e2', '', ' 5', '0x5'])
      expect((await get(owner, `/memory/users?limit=${limit}`)).status, limit).toBe(400);
    for (const limit of ['0', '-1', '201'])
      expect((await get(owner, `/memory/users?limit=${limit}`)).status, limit).toBe(422);
    for (const limit of ['1', '200'])
      expect((await get(owner, `/memory/users?limit=${limit}`)).status, limit).toBe(200);
  });

  it('is a cursor of another list, of another order, or of none', async () => {
    const { body } = await get<Turns>(owner, '/memory/turns?limit=1');
    const cursor = body.next_cursor!;
    expect((await get(owner, `/memory/turns?cursor=${cursor}`)).status).toBe(200);
    const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const made = [
      [0, 'turns asc', 'ada', 'monday', 1, 1, 'x'],
      [1, 'turns asc', 'ada', 'monday', 1, 1],
      [1, 'turns asc', 'ada', 'monday', 1.5, 1, 'x'],
      [1, 'turns asc', 'ada', 'monday', 1, 1.3, 'x'],
      [1, 'turns asc', 'ada', 'monday', 1, -1, 'x'],
      [1, 'turns asc', 7, 'monday', 1, 1, 'x'],
      [1, 'turns asc', '\ud800', 'monday', 1, 1, 'x'],
      { 0: 1 },
    ].map(json);
    // Made by nobody: a caller who could read one would know how much all organizations write.
    expect(Buffer.from(cursor, 'base64url').toString('latin1')).not.toMatch(/turns|monday/);
    const foreign = [
      `observations?cursor=${cursor}`,
      `turns?order=desc&cursor=${cursor}`,
      `users?cursor=${cursor}`,
      `turns?user_id=ben&cursor=${cursor}`,
      `turns?session_id=friday&cursor=${cursor}`,
      `turns?cursor=${'A'.repeat(9_000)}`,
      ...made.map(one => `turns?cursor=${one}`),
    ];
    for (const path of foreign) {
      const refused = await get(owner, `/memory/${path}`);
      expect([refused.status, faultsOf(refused)], path).toEqual([422, ['query.cursor cursor']]);
    }
    expect(faultsOf(await get(owner, '/memory/turns?cursor='))).toEqual(['query.cursor too_short']);
    // A cursor tells a credential nothing of what it may not see.
    expect((await get(ben, `/memory/turns?cursor=${cursor}`)).status).toBe(422);
  });

  it('is a turn that there is not', async () => {
    for (const id of [NEVER_WAS, 'trn_x', 'x', '%00', 'a%2Fb', 'obs_1'])
      expect((await get(owner, `/memory/turns/${id}`)).status, id).toBe(404);
  });
});

it('tells a turn with what was made of it, as the lists do', async () => {
  const { body: one } = await get<TurnDetails>(owner, `/memory/turns/${turnId}`);
  expect(one).toMatchObject({
    id: turnId,
    user_id: 'ada',
    session_id: 'monday',
    role: 'Ada',
    text: 'Grace moved to Lisbon in March.',
    timestamp: '2026-04-02T07:30:00.000Z',
    recorded_at: expect.stringMatching(/^\d{4}-/),
  });
  expect(one.observations.map(({ source }) => source)).toContain('client');
  expect(one.observations.map(({ source }) => source)).toContain('rules');
  expect(one.entities.map(({ label }) => label)).toContain('Grace');
  const listed = await get<{ observations: object[] }>(owner, `/memory/observations?turn_id=${turnId}`);
  expect(listed.body.observations).toEqual(expect.arrayContaining(one.observations));
  expect(listed.body.observations).toHaveLength(one.observations.length);
  const named = await get<{ entities: EntityItem[] }>(owner, `/memory/entities?turn_id=${turnId}`);
  // How many turns name them is told by the list alone.
  const turns = named.body.entities.map(entity => [entity.label, entity.turns]);
  expect(turns).toEqual(
    expect.arrayContaining([
      ['Grace', 1],
      ['Ada', 2],
    ]),
  );
  expect(named.body.entities.map(({ turns: _, aliases: __, ...entity }) => entity)).toEqual(one.entities);
});

it('lists what was acknowledged a moment ago, once', async () => {
  for (let n = 0; n < 30; n++) {
    const turn = { role: 'user', text: `Number ${n}.`, timestamp: new Date(n).toISOString() };
    await owner.ingest({ scope: { user_id: 'counter', session_id: 'one' }, turns: [turn] });
    const { body } = await get<Turns>(owner, '/memory/turns?user_id=counter&session_id=one&order=desc');
    expect(body.turns.map(({ text }) => text)).toEqual(
      Array.from({ length: n + 1 }, (_, i) => `Number ${n - i}.`),
    );
  }
});

it('tells the days of a month, up to the running one', async () => {
  const { body } = await get<Days>(owner, '/usage/daily');
  const today = NOON.slice(0, 10);
  expect(body.days.at(-1)!.day).toBe(today);
  expect(body.days.map(({ day }) => Number(day.slice(8)))).toEqual(body.days.map((_, n) => n + 1));
  const { tokens_in, tokens_out } = await owner.today();
  expect(body.days.at(-1)).toEqual({ day: today, tokens_in, tokens_out });
  expect(tokens_in).toBeGreaterThan(0);
  const february = await get<Days>(owner, '/usage/daily?month=2024-02');
  expect(february.body).toMatchObject({
    start: '2024-02-01T00:00:00+00:00',
    end: '2024-03-01T00:00:00+00:00',
  });
  expect(february.body.days).toHaveLength(29);
  expect(february.body.days[28]).toEqual({ day: '2024-02-29', tokens_in: 0, tokens_out: 0 });
  expect((await get<Days>(owner, '/usage/daily?month=9999-01')).body.days).toEqual([]);
  expect(faultsOf(await get(owner, '/usage/daily?month=2026-13'))).toEqual(['query.month pattern']);
});
