/** Inputs that a caller without types may pass: told as a fault of the call, and not sent. */
import { Turnstone, TurnstoneError } from '@turnstone/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type MisbehavingServer, startMisbehavingServer } from './misbehaving-server.ts';

let server: MisbehavingServer;
beforeAll(async () => {
  server = await startMisbehavingServer();
});
afterAll(() => server.close());

// biome-ignore lint/suspicious/noExplicitAny: a caller without types
const makeClient = (): any => new Turnstone({ baseUrl: server.url, apiKey: 'ts_key', user: 'ada' });
const turn = { role: 'user', text: 'a' };

describe('what no call can be made of', () => {
  it.each<[string, (client: ReturnType<typeof makeClient>) => unknown]>([
    ['a timestamp as a number', client => client.remember({ ...turn, timestamp: Date.now() })],
    ['a timestamp of null', client => client.remember({ ...turn, timestamp: null })],
    [
      'a fact from null',
      client => client.remember({ ...turn, observations: [{ text: 'a', validFrom: null }] }),
    ],
    ['options of null for facts', client => client.memory.facts(null).next()],
    ['a text and a content', client => client.remember({ ...turn, content: 'a' })],
    ['no turn', client => client.remember(undefined)],
    ['a text for a turn', client => client.remember('hello')],
    ['null among turns', client => client.remember([turn, null])],
    ['a turn of a batch that is none', client => client.batch().add(null)],
    ['options of null', client => client.recall('q', null)],
    ['options of null for a write', client => client.remember(turn, null)],
    ['options of null for a job', client => client.job('job_1', null)],
    ['options of null for a list', client => client.memory.turns(null).next()],
    ['options of null for usage', client => client.usage.month(null)],
    ['options of null for events', client => client.events(null).next()],
    ['all users that are no yes or no', client => client.recall('q', { allUsers: 'yes' })],
    ['a time that is none in a recall', client => client.recall('q', { since: 5 })],
    ['a time that is none in a list', client => client.memory.turns({ until: null }).next()],
    ['forget without a word', client => client.forget()],
    ['forget of a user who is no text', client => client.forget({ user: 5 })],
    ['forget of a session of null', client => client.forget({ user: 'ada', session: null })],
    ['forget of a session that is no text', client => client.forget({ user: 'ada', session: 5 })],
    ['a key without a word', client => client.keys.create()],
    ['half a letter in an id', client => client.job('\ud800')],
    ['a job without an id', client => client.job(undefined)],
    ['an id that leads elsewhere', client => client.keys.revoke('..')],
    ['an id that leads nowhere', client => client.keys.revoke('.')],
    ['an empty id', client => client.memory.turn('')],
    ['an id of a turn to hide that leads elsewhere', client => client.memory.deleteTurn('..')],
    ['an id of an entity that leads elsewhere', client => client.memory.correctEntity('..', { label: 'x' })],
    ['an id of a user that leads elsewhere', client => client.memory.nameUser('..', ['x'])],
    ['an empty id of a session', client => client.memory.titleSession('', null)],
    ['an empty id of an observation to hide', client => client.memory.deleteObservation('')],
    ['a correction of an id that leads elsewhere', client => client.memory.correct('..', { value: 'a' })],
    ['no correction', client => client.memory.correct('obs_1')],
    ['a correction from a number', client => client.memory.correct('obs_1', { validFrom: 5 })],
    ['no fact', client => client.memory.addFact()],
    ['a fact with a timestamp of null', client => client.memory.addFact({ text: 'a', timestamp: null })],
    [
      'NaN in the metadata of a fact',
      client => client.memory.addFact({ text: 'a', metadata: { a: Number.NaN } }),
    ],
    ['NaN in metadata', client => client.remember(turn, { metadata: { a: [{ b: Number.NaN }] } })],
    ['infinity in metadata', client => client.remember(turn, { metadata: { a: Number.NEGATIVE_INFINITY } })],
  ])('%s', async (_, call) => {
    server.script({ answers: {} });
    const told = await (async () => call(makeClient()))().catch(error => error);
    expect(told).toBeInstanceOf(TurnstoneError);
    expect(told).toMatchObject({ code: 'invalid', status: undefined });
    expect(server.seen()).toEqual([]);
  });

  it('is not the null of a list, which narrows nothing', async () => {
    const page = { body: { sessions: [], turns: [], next_cursor: null } };
    server.script({ answers: { 'GET /memory/sessions': [page], 'GET /memory/turns': [page] } });
    await makeClient().memory.sessions({ user: null, allUsers: true }).next();
    await makeClient().memory.turns({ user: 'ada', session: null }).next();
    const paths = server.seen().map(({ path }) => path);
    expect(paths.filter(path => path.startsWith('/memory'))).toEqual([
      '/memory/sessions',
      '/memory/turns?user_id=ada',
    ]);
  });
});

it('takes the messages of a chat API, and sends a repeated one at the same instant', async () => {
  server.script({ answers: { 'POST /ingestion/memory': [{ status: 503 }, { status: 202, body: {} }] } });
  const client = new Turnstone({ baseUrl: server.url, apiKey: 'ts_key', sleep: async () => {} });
  const before = Date.now();
  await client.remember([
    { role: 'user', content: 'I moved to Porto.' },
    { role: 'assistant', content: 'How is it?' },
  ]);
  const [first, second] = server.seen().filter(({ path }) => path === '/ingestion/memory');
  const { turns } = first!.body as { turns: { timestamp: string }[] };
  expect(turns).toEqual([
    { role: 'user', text: 'I moved to Porto.', timestamp: expect.any(String) },
    { role: 'assistant', text: 'How is it?', timestamp: expect.any(String) },
  ]);
  for (const { timestamp } of turns) expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
  expect(second!.body).toEqual(first!.body);
});

it('takes observations as texts and as the objects that the contract has', async () => {
  server.script({ answers: { 'POST /ingestion/memory': [{ status: 202, body: {} }] } });
  const client = new Turnstone({ baseUrl: server.url, apiKey: 'ts_key' });
  const observations = ['likes tea', { text: 'lives in Lyon' }];
  await client.remember({ ...turn, observations });
  expect(server.seen().at(-1)!.body).toMatchObject({ turns: [{ observations }] });
});

it('takes facts with its own names, and says from when they hold', async () => {
  server.script({ answers: { 'POST /ingestion/memory': [{ status: 202, body: {} }] } });
  const client = new Turnstone({ baseUrl: server.url, apiKey: 'ts_key' });
  const fact = { text: 'Ada moved to Porto.', subject: 'Ada', attribute: 'home', value: 'Porto' };
  const ended = { text: 'Ada has no job.', attribute: 'job', ended: true };
  await client.remember({
    ...turn,
    observations: [{ ...fact, validFrom: new Date('2026-06-01T00:00:00Z') }, ended],
  });
  expect(server.seen().at(-1)!.body).toMatchObject({
    turns: [{ observations: [{ ...fact, valid_from: '2026-06-01T00:00:00.000Z' }, ended] }],
  });
});
