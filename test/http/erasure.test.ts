import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, connect, expectStatus, send } from '../support/http/client.ts';
import { type Server, startServer } from '../support/processes/server.ts';

let server: Server;
let owner: Client;
let ada: Client;
let reader: Client;
beforeAll(async () => {
  server = await startServer();
  owner = await connect(server);
  const withRoles = async (...roles: string[]): Promise<Client> => {
    const made = await owner.request<{ api_key: string }>('POST', '/me/api-keys', {
      name: 'test',
      roles,
      user_id: 'ada',
    });
    return connect({ url: server.url, apiKey: expectStatus(made, 201).api_key });
  };
  ada = await withRoles('memory:write', 'memory:erase', 'memory:read');
  reader = await withRoles('memory:read', 'memory:write', 'memory:curate');
});
afterAll(() => server.stop());

const body = (scope: object) => ({ scope: { org_id: 'any', ...scope } });
const erase = (client: Client, query: string, content?: unknown) =>
  client.request<{ details: { errors: { loc: unknown; type: string }[] } | null; erased: object }>(
    'DELETE',
    `/memory${query}`,
    content,
  );

it('refuses what is not allowed, not named or not clear, and erases nothing then', async () => {
  const turn = { role: 'user', text: 'I keep bees.', timestamp: '2026-03-01T00:00:00Z' };
  for (const user_id of ['ada', 'grace']) await owner.ingest({ scope: { user_id }, turns: [turn] });
  expect((await send(`${server.url}/memory`, 'DELETE')).status).toBe(401);
  expect((await erase(reader, '')).status).toBe(403);
  expect((await erase(reader, '', 'no scope')).status).toBe(403);
  expect((await erase(ada, '?user_id=grace')).status).toBe(403);
  expect((await erase(ada, '', body({ user_id: 'grace' }))).status).toBe(403);
  // A caller that may name any user has to name one.
  const unnamed = await erase(owner, '', body({}));
  expect(unnamed).toMatchObject({ status: 422, body: { details: { errors: [{ type: 'missing' }] } } });
  expect(unnamed.body.details?.errors[0]?.loc).toEqual(['body', 'scope', 'user_id']);
  expect((await erase(owner, '')).body.details?.errors[0]?.loc).toEqual(['query', 'user_id']);
  expect((await erase(owner, '?user_id=ada&user_id=grace')).status).toBe(422);
  expect((await erase(owner, '?user_id=')).status).toBe(422);
  // A name that is spelled wrong would have meant more than was said.
  expect((await erase(ada, '?session=monday')).status).toBe(400);
  expect((await erase(ada, '', body({ session: 'monday' }))).status).toBe(400);
  expect((await erase(ada, '?session_id=monday', body({}))).status).toBe(400);
  const { hits } = await owner.recall({ q: 'Who keeps bees?' });
  expect(hits.turns).toHaveLength(2);
});

it('erases its own user without a name, and a named one, in either form', async () => {
  const turn = { role: 'user', text: 'I play the oboe.', timestamp: '2026-03-01T00:00:00Z' };
  const told = async (user_id: string) =>
    (await owner.recall({ q: 'Who plays the oboe?', scope: { user_id } })).hits.turns.filter(({ text }) =>
      text.includes('oboe'),
    );
  for (const user_id of ['ada', 'grace', 'edsger']) await owner.ingest({ scope: { user_id }, turns: [turn] });
  expect(expectStatus(await erase(ada, ''), 200).erased).toMatchObject({ turns: 2 });
  expect(await told('ada')).toEqual([]);
  expect(await told('grace')).toHaveLength(1);
  expect(
    expectStatus(await erase(owner, '?user_id=grace&session_id=default-session'), 200).erased,
  ).toMatchObject({ turns: 2, sessions: 1 });
  expect(await told('grace')).toEqual([]);
  expectStatus(await erase(owner, '', body({ user_id: 'edsger' })), 200);
  expect(await told('edsger')).toEqual([]);
  // Nobody of that name, or nothing any more: that is no fault.
  expect(expectStatus(await erase(owner, '?user_id=nobody'), 200).erased).toEqual({
    turns: 0,
    observations: 0,
    entities: 0,
    sessions: 0,
  });
});

it('erases nobody but the user whose name was sent', async () => {
  const turn = { role: 'user', text: 'I tune harps.', timestamp: '2026-03-01T00:00:00Z' };
  for (const user_id of ['ab', 'ab?c', '\uFFFD'])
    for (const session_id of ['s1', 's2'])
      await owner.ingest({ scope: { user_id, session_id }, turns: [turn] });
  const kept = async (user_id: string) =>
    (await owner.recall({ q: 'harps', scope: { user_id } })).hits.turns.length;
  // A question mark needs no encoding behind the first.
  expect(expectStatus(await erase(owner, '?user_id=ab?c&session_id=s1'), 200).erased).toMatchObject({
    turns: 1,
  });
  expect(await Promise.all([kept('ab'), kept('ab?c')])).toEqual([2, 1]);
  // No UTF-8: what it would be replaced by is somebody's name.
  expect((await erase(owner, '?user_id=%E9')).status).toBe(400);
  expect(await kept('\uFFFD')).toBe(2);
});
