/**
 * A request of the exact shape is served without express. It is answered, logged and counted as express would
 * have had it: the corpus goes to both ways.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextRound } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ServiceError, unavailable } from '../../../core/errors.ts';
import type { UseCases } from '../../../core/use-cases.ts';
import { startApp, stubUseCases, type TestApp } from '../../support/http/app.ts';
import { context } from '../../support/worlds/accounts.ts';
import { type Conversation, corpus, type Known } from './corpus.ts';

const HOUR_MS = 3_600_000;
/** Longer than a busy machine takes to see that a client has left. */
const DEADLINE_MS = 1_000;

/** Fails as the text of the first turn says. */
const ingest: UseCases['ingest'] = async (principal, body, context) => {
  const [first] = body.turns;
  if (first?.text === 'internal') throw new Error('a fault of ours');
  if (first?.text === 'unavailable') throw unavailable('The log is away.', undefined, 3);
  if (first?.text === 'quota')
    throw new ServiceError('quota_exceeded', 'No tokens are left.', { retryAfter: 60 });
  if (first?.text === 'late')
    return new Promise((_, reject) => {
      const { signal } = context.deadline!;
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return stubUseCases.ingest(principal, body, context);
};

interface Way {
  app: TestApp;
  known: Known;
}

const openWay = async (direct: boolean): Promise<Way> => {
  const app = await startApp({
    useCases: { ingest },
    direct,
    deadlineMs: DEADLINE_MS,
    trustedProxies: ['127.0.0.1'],
    authFailuresPerMinute: 1_000,
  });
  const owner = await app.accounts.authenticate(app.token, '192.0.2.1');
  const made = async (name: string, roles: ['memory:read']) =>
    app.accounts.createKey(owner, { name, roles }, context);
  const [reader, gone] = [await made('reader', ['memory:read']), await made('gone', ['memory:read'])];
  await app.accounts.revokeKey(owner, gone.id, context);
  const expired = app.token;
  app.pass(25 * HOUR_MS);
  const { access_token: token } = await app.accounts.exchange(app.apiKey, '192.0.2.250', context);
  const known = { token, expired, apiKey: app.apiKey, reader: reader.api_key, revoked: gone.api_key };
  return { app, known };
};

/** Holds a conversation until the server ends it, and returns all that it said. */
const converse = async (port: number, conversation: Conversation): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let heard = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    heard += chunk;
  });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await once(socket, 'connect');
  for (const part of conversation) {
    if (part === 'cut') socket.end();
    else if (!socket.destroyed) await new Promise(resolve => socket.write(part, resolve));
    for (let i = 0; i < 20; i++) await nextRound();
  }
  await closed;
  return heard;
};

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const GIVEN = '5f0c2a52-0000-4000-8000-00000000000a';

/** Without what differs from one call to the next. */
const steady = (heard: string): string =>
  heard
    .replace(UUID, id => (id === GIVEN ? id : '<id>'))
    .replace(/^Date: .*$/gm, 'Date: <now>')
    .replace(/"timestamp":"20[^"]*"/g, '"timestamp":"<now>"');

let ways: [direct: Way, express: Way];
beforeAll(async () => {
  ways = [await openWay(true), await openWay(false)];
});
afterAll(async () => {
  for (const { app } of ways) await app.close();
});

const NOBODY: Known = { token: '', expired: '', apiKey: '', reader: '', revoked: '' };

it.for(corpus(NOBODY).map(([what], i): [string, number] => [what, i]))('%s', async ([, i]) => {
  const [direct, express] = await Promise.all(
    ways.map(async ({ app, known }) => steady(await converse(app.port, corpus(known)[i]![1]))),
  );
  expect(direct).toBe(express);
});

it('logs and counts them all as express does', async () => {
  const told = async ({ app }: Way) => {
    const { text } = await app.call('GET', '/metrics');
    const counted = text
      .split('\n')
      .filter(line => /^turnstone_http_request_duration_seconds_count|in_flight/.test(line));
    const lines = app.logged.map(({ time: _, request_id, ms, err, ...line }) =>
      JSON.stringify({ ...line, has: [typeof request_id, typeof ms, typeof err] }),
    );
    return { counted: counted.toSorted(), lines: lines.toSorted() };
  };
  // A request is logged once its connection has seen the end of its answer.
  await vi.waitFor(
    async () => {
      const [direct, express] = await Promise.all(ways.map(told));
      expect(direct!.lines.length).toBeGreaterThan(100);
      expect(direct).toEqual(express);
    },
    { timeout: 20_000, interval: 50 },
  );
});
