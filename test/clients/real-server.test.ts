/** The TypeScript client against the service itself. */
import { type FeedEvent, Turnstone } from '@turnstone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 2, 9, 9, minute)).toISOString();

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
};

describe('the TypeScript client and the service', () => {
  let server: Server;
  let client: Turnstone;
  beforeAll(async () => {
    server = await startServer();
    client = new Turnstone({
      baseUrl: `${server.url}/`,
      apiKey: server.apiKey,
      user: 'ada',
      session: 'monday',
    });
  });
  afterAll(() => server.stop());

  it('remembers, recalls at once, and bills a turn once', async () => {
    const turns = [
      { role: 'user', text: 'The quince tree stands by the well.', timestamp: at(30) },
      { role: 'assistant', text: 'It has a lot of fruit.', timestamp: new Date(at(31)) },
    ];
    const first = await client.remember(turns, { metadata: { from: 'a test' } });
    expect(first.active_fragment_ids).toHaveLength(2);
    expect(first.usage.tokens_in).toBeGreaterThan(0);
    const again = await client.remember(turns);
    expect(again).toMatchObject({ job_id: first.job_id, usage: { tokens_in: 0 } });
    const { hits, confidence } = await client.recall('Where is the quince tree?', {
      kinds: ['turn'],
      topK: 1,
    });
    expect(hits.turns[0]).toMatchObject({
      id: first.active_fragment_ids[0],
      user_id: 'ada',
      session_id: 'monday',
    });
    expect(confidence).toBeGreaterThan(0.5);
    expect((await client.job(first.job_id)).turns).toBe(2);
  });

  it('lists what is stored, page by page', async () => {
    const batch = client.batch({ session: 'pages', maxAgeMs: 5 });
    for (let i = 0; i < 25; i++) await batch.add({ role: 'user', text: `page ${i}`, timestamp: at(i) });
    await batch.close();
    const turns = await all(client.memory.turns({ user: 'ada', session: 'pages', pageSize: 10 }));
    expect(turns.map(({ text }) => text)).toEqual(Array.from({ length: 25 }, (_, i) => `page ${i}`));
    const late = await all(client.memory.turns({ session: 'pages', since: new Date(at(20)), order: 'desc' }));
    expect(late.map(({ text }) => text)).toEqual(['page 24', 'page 23', 'page 22', 'page 21', 'page 20']);
    expect((await all(client.memory.users())).map(({ user_id }) => user_id)).toEqual(['ada']);
    const sessions = await all(client.memory.sessions({ user: 'ada' }));
    expect(sessions.map(({ session_id }) => session_id)).toEqual(['monday', 'pages']);
    expect(await client.memory.turn(turns[3]!.id)).toMatchObject({ text: 'page 3', session_id: 'pages' });
  });

  it('corrects names, and titles a session', async () => {
    const scope = { user: 'wren', session: 'names' };
    const { passive_job_id } = await client.remember(
      [{ role: 'user', text: 'Mel lives in Lyon, and Melanie lives in Porto.', timestamp: at(1) }],
      scope,
    );
    const jobStatus = async () => (await client.job(passive_job_id!)).status;
    await until('it is enriched', async () => (await jobStatus()) === 'done', 30_000);
    const { user } = scope;
    const people = async () =>
      (await all(client.memory.entities({ user })))
        .filter(({ kind }) => kind === 'person')
        .map(({ label, aliases }) => [label, aliases.map(alias => alias.label)]);
    const [melanie] = (await all(client.memory.entities({ user }))).filter(
      ({ label }) => label === 'Melanie',
    );
    const [mel] = melanie!.aliases;
    expect(await client.memory.correctEntity(melanie!.id, { split: [mel!.id] }, { user })).toMatchObject({
      aliases: [],
    });
    expect(await people()).toEqual([
      ['Mel', []],
      ['Melanie', []],
    ]);
    await client.memory.correctEntity(mel!.id, { mergeInto: melanie!.id, label: 'Nell' }, { user });
    expect(await people()).toEqual([['Nell', ['Mel']]]);
    expect(await client.memory.titleSession('names', 'Who lives where', { user })).toMatchObject({
      title: 'Who lives where',
    });
    expect((await client.memory.titleSession('names', null, { user })).title).toBeNull();
    await expect(client.memory.correctEntity('ent_0', { label: 'x' }, { user })).rejects.toMatchObject({
      status: 404,
    });
    await client.forget({ user });
  });

  it('hides a fact, so that the older value holds, and then a turn', async () => {
    const said = (value: string, minute: number) => ({
      role: 'user',
      text: `Send it to ${value}.`,
      timestamp: at(minute),
      observations: [{ text: `Finch lives in ${value}.`, subject: 'Finch', attribute: 'home', value }],
    });
    const scope = { user: 'finch', session: 'hidden' };
    const { active_fragment_ids } = await client.remember([said('Lyon', 1), said('Porto', 2)], scope);
    const homes = async () =>
      (await all(client.memory.facts({ user: 'finch', subject: 'Finch' }))).map(({ value }) => value);
    const [porto] = await all(client.memory.facts({ user: 'finch', subject: 'Finch' }));
    expect(await client.memory.deleteObservation(porto!.id)).toBeUndefined();
    expect(await homes()).toEqual(['Lyon']);
    expect(await client.memory.deleteTurn(active_fragment_ids[0]!)).toBeUndefined();
    expect(await homes()).toEqual([]);
    const turns = await all(client.memory.turns(scope));
    expect(turns.map(({ text }) => text)).toEqual(['Send it to Porto.']);
    await expect(client.memory.deleteTurn(active_fragment_ids[0]!)).rejects.toMatchObject({ status: 404 });
    await expect(client.memory.deleteObservation(porto!.id)).rejects.toMatchObject({ status: 404 });
    await client.forget({ user: 'finch' });
  });

  it('keeps what a recall answered, and reads it again', async () => {
    const scope = { user: 'heron', session: 'kept' };
    await client.remember([{ role: 'user', text: 'The heron fishes at dawn.', timestamp: at(1) }], scope);
    const recalled = await client.recall('When does the heron fish?', { ...scope, receipt: true });
    const [hit] = recalled.hits.turns;
    expect(recalled.freshness.from_tail).toBeLessThanOrEqual(1);
    const kept = await client.getRecall(recalled.receipt_id!);
    expect(kept).toMatchObject({
      q: 'When does the heron fish?',
      confidence: recalled.confidence,
      hits: [{ id: hit!.id, score: hit!.score, status: 'shown', text: hit!.text }],
    });
    await client.forget({ user: 'heron' });
    const { q, hits } = await client.getRecall(recalled.receipt_id!);
    expect([q, hits.map(({ status }) => status)]).toEqual([null, ['erased']]);
    await expect(client.getRecall('rcl_1')).rejects.toMatchObject({ status: 404 });
  });

  it('says a fact without a turn, and corrects it', async () => {
    const scope = { user: 'wader', session: 'crm' };
    const fact = {
      ...scope,
      text: 'Wader lives in Lyon.',
      subject: 'Wader',
      attribute: 'home',
      value: 'Lyon',
    };
    const said = await client.memory.addFact(fact);
    expect(said).toMatchObject({ text: fact.text, value: 'Lyon', turn_id: null, session_id: 'crm' });
    expect(said.usage.tokens_in).toBeGreaterThan(0);
    expect(await client.memory.addFact(fact)).toMatchObject({ id: said.id, usage: { tokens_in: 0 } });
    const validFrom = new Date(at(3));
    const corrected = await client.memory.correct(said.id, { value: 'Porto', validFrom });
    expect(corrected).toMatchObject({
      text: 'Wader lives in Porto.',
      value: 'Porto',
      valid_from: validFrom.toISOString(),
      corrects: said.id,
    });
    const again = await client.memory.correct(said.id, { value: 'Porto' });
    expect(again).toMatchObject({ id: corrected.id, usage: { tokens_in: 0 } });
    const held = await all(client.memory.facts({ user: 'wader', holds: 'ever' }));
    expect(held.map(({ value, superseded_by }) => [value, superseded_by])).toEqual(
      expect.arrayContaining([
        ['Porto', null],
        ['Lyon', corrected.id],
      ]),
    );
    expect((await all(client.memory.facts({ user: 'wader' }))).map(({ value }) => value)).toEqual(['Porto']);
    await expect(client.memory.correct('obs_none', { value: 'a' })).rejects.toMatchObject({ status: 404 });
    await expect(client.memory.correct(said.id, {})).rejects.toMatchObject({ status: 422 });
    await client.forget({ user: 'wader' });
  });

  it('sends facts, and lists what holds and what held', async () => {
    const said = (value: string, minute: number) => ({
      role: 'user',
      text: `Send it to ${value}.`,
      timestamp: at(minute),
      observations: [{ text: `Wren lives in ${value}.`, subject: 'Wren', attribute: 'home', value }],
    });
    await client.remember([said('Lyon', 1), said('Porto', 2)], { user: 'wren', session: 'facts' });
    const facts = await all(client.memory.facts({ user: 'wren', subject: 'Wren' }));
    expect(facts.map(({ value, valid_until }) => [value, valid_until])).toEqual([['Porto', null]]);
    const ever = await all(client.memory.facts({ user: 'wren', holds: 'ever', pageSize: 1 }));
    expect(ever.map(({ value, valid_until }) => [value, valid_until])).toEqual([
      ['Lyon', at(2)],
      ['Porto', null],
    ]);
    await client.forget({ user: 'wren' });
  });

  it('tells which turn of a batch was refused, and stores its neighbours', async () => {
    const batch = client.batch({ session: 'refused' });
    const added = [];
    for (const text of ['one', '', 'three'])
      added.push(await batch.add({ role: 'user', text, timestamp: at(1) }));
    await expect(batch.close()).rejects.toMatchObject({
      code: 'not_stored',
      details: { failed: [{ index: 1, code: 'invalid', message: expect.stringContaining('text') }] },
    });
    const outcomes = await Promise.all(added.map(({ outcome }) => outcome));
    expect(outcomes.map(({ ok }) => ok)).toEqual([true, false, true]);
    const turns = await all(client.memory.turns({ session: 'refused' }));
    expect(turns.map(({ id, text }) => [id, text])).toEqual([
      [(outcomes[0] as { id: string }).id, 'one'],
      [(outcomes[2] as { id: string }).id, 'three'],
    ]);
  });

  it('follows the events over a server that is killed and comes back', async () => {
    const dataDir = server.dataDir;
    const port = new URL(server.url).port;
    const events: FeedEvent[] = [];
    const follower = new AbortController();
    const ended = (async () => {
      for await (const event of client.events({ signal: follower.signal }))
        if (event.data.kind === 'turn') events.push(event);
    })().catch(error => error);
    const told = async (text: string) =>
      expect.poll(() => events.map(({ data }) => data.text), { timeout: 30_000 }).toContain(text);
    await client.remember({ role: 'user', text: 'before the fall', timestamp: at(40) }, { session: 'fall' });
    await told('before the fall');
    await server.kill();
    server = await startServer({ dataDir, environment: { TURNSTONE_PORT: port } });
    await client.remember({ role: 'user', text: 'after the fall', timestamp: at(41) }, { session: 'fall' });
    await told('after the fall');
    follower.abort();
    expect(await ended).toMatchObject({ code: 'aborted' });
    const ids = events.map(({ data }) => data.id);
    expect(new Set(ids).size).toBe(ids.length);
    const stored = await all(client.memory.turns({ allUsers: true }));
    expect(new Set(ids)).toEqual(new Set(stored.map(({ id }) => id)));
    // From a position on, and nothing before it.
    for await (const { data } of client.events({ after: events.at(-2)!.position })) {
      if (data.kind !== 'turn') continue;
      expect(data.text).toBe(events.at(-1)!.data.text);
      break;
    }
  });

  it('counts usage, by day and by month', async () => {
    const today = await client.usage.today();
    const [month, { days }] = await Promise.all([client.usage.month(), client.usage.daily()]);
    expect(today.tokens_in).toBeGreaterThan(0);
    expect(month.tokens_in).toBe(today.tokens_in);
    expect(days.at(-1)).toMatchObject({ day: today.start.slice(0, 10), tokens_in: today.tokens_in });
  });

  it('makes, lists and revokes keys; a revoked one is told so', async () => {
    const { id, api_key } = await client.keys.create({ name: 'reader', roles: ['memory:read'], user: 'ada' });
    const reader = new Turnstone({ baseUrl: server.url, apiKey: api_key });
    expect(await reader.me()).toMatchObject({ user_id: 'ada', roles: ['memory:read'] });
    await expect(reader.usage.today()).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    expect((await client.keys.list()).map(key => key.id)).toContain(id);
    await client.keys.revoke(id);
    const revoked = { status: 403, code: 'forbidden', message: 'The API key is revoked.' };
    await expect(reader.me()).rejects.toMatchObject(revoked);
    await expect(client.keys.revoke(id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  it('forgets a session, and only that', async () => {
    const { erased, receipt } = await client.forget({ user: 'ada', session: 'pages' });
    expect(erased).toMatchObject({ turns: 25, sessions: 1 });
    expect(receipt.split('.')).toHaveLength(3);
    expect(await all(client.memory.turns({ session: 'pages' }))).toEqual([]);
    expect(await all(client.memory.turns({ session: 'monday' }))).toHaveLength(2);
  });
});
