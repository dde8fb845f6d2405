import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { compactVerify, createLocalJWKSet } from 'jose';
import { expect, it } from 'vitest';
import type { ErasureAnswer } from '../../schemas/http/erasure.ts';
import { said, wordsOf } from '../support/files/erased-words.ts';
import { untilGone, wordsIn, wordsInFolder } from '../support/files/find-words.ts';
import { type Client, connect, expectStatus, send, settled } from '../support/http/client.ts';
import { type Server, startServer, temporaryFolder } from '../support/processes/server.ts';

const environment = { TURNSTONE_CLOCK: '2026-03-10T08:00:00Z' };

const USERS = ['ada', 'grace'];
const SESSIONS = ['monday', 'tuesday', 'friday'];
/** More than a segment holds, of the organization and of a user. */
const TURNS = 40;

const everybody = USERS.flatMap(user =>
  SESSIONS.flatMap(session => Array.from({ length: TURNS }, (_, n) => ({ user, session, n }))),
);
const erase = async (client: Client, scope: object): Promise<ErasureAnswer> =>
  expectStatus(
    await client.request<ErasureAnswer>('DELETE', '/memory', { scope: { org_id: 'any', ...scope } }),
    200,
  );

/** Returns those of these words that a recall tells, in any mode and of any kind. */
const told = async (client: Client, words: readonly string[]): Promise<string[]> => {
  let answers = '';
  for (const mode of ['active', 'deep'] as const) {
    for (const scope of [{}, { user_id: 'ada' }, { user_id: 'ada', session_id: 'monday' }]) {
      for (const q of [words.join(' ').slice(0, 4_000), 'Who moved to Tallinn and sold a xylophone?']) {
        answers += JSON.stringify(await client.recall({ q, scope, mode, top_k: 30, include_timeline: true }));
      }
    }
  }
  return wordsIn(Buffer.from(answers), words);
};

const startAndFill = async (dataDir: string): Promise<{ server: Server; client: Client }> => {
  const server = await startServer({ dataDir, environment });
  const client = await connect(server);
  for (const { user, session, n } of everybody) await client.ingest(said(user, session, n));
  await settled(server.url);
  return { server, client };
};

const dropProjections = (dataDir: string): void => {
  for (const name of readdirSync(dataDir)) if (name.startsWith('projections')) rmSync(join(dataDir, name));
};

it('takes the words of a session and of a user out of every file, for ever', async () => {
  const dataDir = temporaryFolder();
  let { server, client } = await startAndFill(dataDir);
  const words = wordsOf('ada', 'monday');
  const rest = ['ada', 'grace'].flatMap(user => wordsOf(user, 'friday'));
  // The search finds what is there, and all of it.
  expect(Object.values(wordsInFolder(dataDir, words)).flat()).toEqual(expect.arrayContaining(words));
  expect(await told(client, words)).not.toEqual([]);
  const other = { q: 'Who moved to Tallinn?', scope: { user_id: 'grace' }, top_k: 30 };
  const kept = (await client.recall(other)).hits;
  const { tokens_in: billed } = await client.today();

  const answer = await erase(client, { user_id: 'ada', session_id: 'monday' });
  expect(answer.erased).toMatchObject({ turns: TURNS, sessions: 1 });
  expect(answer.erased.observations).toBeGreaterThanOrEqual(TURNS);
  expect(answer.erased.entities).toBeGreaterThan(0);
  expect(await told(client, words)).toEqual([]);
  await untilGone(dataDir, words);
  expect(Object.values(wordsInFolder(dataDir, rest)).flat()).toEqual(expect.arrayContaining(rest));
  expect((await client.recall(other)).hits).toEqual(kept);
  expect((await client.today()).tokens_in).toBeGreaterThanOrEqual(billed);

  // The receipt is ours, and one that says something else isn't.
  const { body: jwks } = await send<{ keys: [] }>(`${server.url}/.well-known/jwks.json`, 'GET');
  const { payload } = await compactVerify(answer.receipt, createLocalJWKSet(jwks));
  expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({
    scope: { org_id: 'local', user_id: 'ada', session_id: 'monday' },
    erased: answer.erased,
    erased_at: answer.erased_at,
  });
  const [head, body, signature] = answer.receipt.split('.');
  const changed = Buffer.from(Buffer.from(body!, 'base64url').toString().replace('monday', 'sunday'));
  await expect(
    compactVerify(`${head}.${changed.toString('base64url')}.${signature}`, createLocalJWKSet(jwks)),
  ).rejects.toThrow();
  // It opens no door either.
  expect((await send(`${server.url}/me`, 'GET', undefined, answer.receipt)).status).toBe(401);

  // A turn that is sent again is another one: stored, recalled and billed.
  const again = await client.ingest(said('ada', 'monday', 3));
  expect(again.usage.tokens_in).toBeGreaterThan(0);
  const found = await client.recall({ q: 'xylophoneadamonday3', scope: { user_id: 'ada' } });
  expect(found.hits.turns[0]).toMatchObject({ id: again.active_fragment_ids[0] });
  await settled(server.url);

  const usage = await client.today();
  const everything = await erase(client, { user_id: 'grace' });
  expect(everything.erased).toMatchObject({ turns: SESSIONS.length * TURNS, sessions: SESSIONS.length });
  const gone = [...wordsOf('ada', 'monday', 17), ...SESSIONS.flatMap(session => wordsOf('grace', session))];
  const check = async (): Promise<void> => {
    expect(await told(client, gone)).toEqual([]);
    await untilGone(dataDir, gone);
    expect((await client.recall({ q: 'xylophoneadamonday3' })).hits.turns[0]).toMatchObject({
      id: again.active_fragment_ids[0],
    });
  };
  await check();
  const recalled = (await client.recall({ q: 'xylophoneadafriday3', top_k: 30 })).hits;
  const bill = (await client.today()).tokens_in;
  expect(bill).toBeGreaterThanOrEqual(usage.tokens_in);
  await server.stop();

  // Everything from the log again.
  dropProjections(dataDir);
  server = await startServer({ dataDir, environment });
  client = await connect(server);
  await settled(server.url);
  expect((await client.today()).tokens_in).toBe(bill + 0);
  await check();
  expect((await client.recall({ q: 'xylophoneadafriday3', top_k: 30 })).hits).toEqual(recalled);
  await server.stop();
});
