import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  correctObservation,
  hideObservation,
  hideTurn,
  readiness,
  revokeApiKey,
} from '../../../console/src/api/calls.ts';
import { request } from '../../../console/src/api/request.ts';
import { beginSession, currentSession, endSession } from '../../../console/src/api/session.ts';
import { errorInWords } from '../../../console/src/words/errors.ts';

const tokens = (n: number) => ({ access_token: `access ${n}`, refresh_token: `refresh ${n}` });
const json = (status: number, body: object): Response =>
  new Response(status === 204 ? null : JSON.stringify(body), { status });
const refused = (): Response => json(401, { message: 'The access token is not valid.' });
const keyRevoked = (): Response => json(403, { message: 'The API key is revoked.' });

/** Stubs the service's answers, by path, which are called with the call's token; returns the calls' paths. */
const serve = (answers: Record<string, (token: string | undefined) => Response | Promise<Response>>) => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { headers }: { headers: Record<string, string> }) => {
    asked.push(path);
    return answers[path]!(headers.authorization?.replace('Bearer ', ''));
  });
  return asked;
};

beforeEach(() => beginSession(tokens(1)));
afterEach(() => vi.unstubAllGlobals());

/** Calls with a token that is refused, and lets `meanwhile` happen while it is being renewed. */
const whileRenewing = async (meanwhile: () => void, answer: Response): Promise<unknown> => {
  let renew!: (answer: Response) => void;
  const answered = new Promise<Response>(resolve => {
    renew = resolve;
  });
  const asked = serve({
    '/me': token => (token === 'access 1' ? refused() : json(200, { with: token })),
    '/auth/refresh': () => answered,
  });
  const outcome = request('/me').catch((error: unknown) => error);
  await vi.waitFor(() => expect(asked).toContain('/auth/refresh'));
  meanwhile();
  renew(answer);
  return outcome;
};

test('a token is renewed, and the call made again', async () => {
  expect(await whileRenewing(() => {}, json(200, tokens(2)))).toEqual({ with: 'access 2' });
  expect(currentSession().tokens).toEqual(tokens(2));
});

test('who signs out while a token is renewed stays signed out', async () => {
  expect(await whileRenewing(() => endSession(), json(200, tokens(2)))).toMatchObject({ status: 401 });
  expect(currentSession()).toEqual({ tokens: undefined, spent: [], ended: undefined });
});

test('who signs in with another key while a token is renewed, or refused, keeps that session', async () => {
  expect(await whileRenewing(() => beginSession(tokens(7)), json(200, tokens(2)))).toEqual({
    with: 'access 7',
  });
  expect(currentSession().tokens).toEqual(tokens(7));
  beginSession(tokens(1));
  expect(await whileRenewing(() => beginSession(tokens(7)), refused())).toMatchObject({ status: 401 });
  expect(currentSession().tokens).toEqual(tokens(7));
});

test('a key that was revoked ends the session, a role that it lacks does not', async () => {
  serve({ '/me': keyRevoked, '/auth/refresh': refused });
  await expect(request('/me')).rejects.toMatchObject({ status: 401 });
  expect(currentSession()).toMatchObject({ tokens: undefined, ended: expect.stringContaining('ended') });
  beginSession(tokens(1));
  serve({ '/me': keyRevoked, '/auth/refresh': () => json(401, { message: 'The API key is revoked.' }) });
  await expect(request('/me')).rejects.toMatchObject({ status: 401 });
  expect(currentSession()).toMatchObject({ tokens: undefined, ended: expect.stringContaining('revoked') });

  beginSession(tokens(1));
  const asked = serve({ '/me': () => json(403, { message: 'The credential lacks the role memory:read.' }) });
  await expect(request('/me')).rejects.toMatchObject({ status: 403 });
  expect([asked, currentSession().tokens]).toEqual([['/me'], tokens(1)]);
});

test('revoking the key of the session ends it, another key leaves it', async () => {
  serve({ '/me/api-keys/other': () => json(204, {}), '/auth/refresh': () => json(200, tokens(2)) });
  await revokeApiKey('other');
  expect(currentSession().tokens).toEqual(tokens(2));
  serve({ '/me/api-keys/own': () => json(204, {}), '/auth/refresh': refused });
  await revokeApiKey('own');
  expect(currentSession().tokens).toBeUndefined();
});

test('a 503 tells the engines, unless a proxy gave it', async () => {
  const down = { ready: false, engines: { kafka: { ok: false, detail: 'gone' } } };
  serve({ '/readyz': () => json(503, down) });
  expect(await readiness()).toEqual(down);
  for (const body of ['{"message":"no upstream"}', '<h1>503</h1>', 'null']) {
    serve({ '/readyz': () => new Response(body, { status: 503 }) });
    await expect(readiness()).rejects.toMatchObject({ status: 503 });
  }
});

test('an answer that is no JSON is told as what it is', async () => {
  serve({ '/me': () => new Response('<h1>Sign in to the network</h1>', { status: 200 }) });
  const told = await request('/me').catch((error: unknown) => errorInWords(error, 0));
  expect(told).toMatchObject({ title: 'The answer did not come from the service' });
});

describe('a twin, whose tab was duplicated from this one,', () => {
  let twin: InstanceType<typeof BroadcastChannel>;
  const heard: unknown[] = [];
  beforeEach(() => {
    heard.length = 0;
    twin = new BroadcastChannel('turnstone.tokens');
    twin.onmessage = ({ data }: { data: unknown }) => heard.push(data);
  });
  afterEach(() => twin.close());

  test('is asked before a token is spent, and told what it was renewed to', async () => {
    serve({
      '/me': token => (token === 'access 1' ? refused() : json(200, {})),
      '/auth/refresh': () => json(200, tokens(2)),
    });
    await request('/me');
    const handed = { spent: 'refresh 1', fresh: tokens(2) };
    await vi.waitFor(() => expect(heard).toEqual([{ wanted: 'refresh 1' }, handed]));
    twin.postMessage({ wanted: 'refresh 1' });
    await vi.waitFor(() => expect(heard).toHaveLength(3));
    expect(heard[2]).toEqual(handed);
  });

  test('hands over what it has renewed, to whoever holds what it was renewed from', async () => {
    twin.postMessage({ spent: 'refresh 7', fresh: tokens(8) });
    twin.postMessage({ spent: 'refresh 1', fresh: tokens(2) });
    await vi.waitFor(() => expect(currentSession().tokens).toEqual(tokens(2)));
    twin.postMessage({ wanted: 'refresh 6' });
    endSession();
    twin.postMessage({ wanted: 'refresh 1' });
    twin.postMessage({ spent: 'refresh 2', fresh: tokens(3) });
    await new Promise(resolve => setTimeout(resolve, 50));
    expect([heard, currentSession().tokens]).toEqual([[], undefined]);
  });

  test.each([
    ['signed out, and in with another key', () => endSession()],
    ['signed in with another key', () => undefined],
  ])('is told nothing of an earlier session by who %s', async (_, before) => {
    const [handed, others] = [1, 7].map(n => ({ spent: `refresh ${n}`, fresh: tokens(n + 1) }));
    twin.postMessage(handed);
    await vi.waitFor(() => expect(currentSession().tokens).toEqual(tokens(2)));
    before();
    beginSession(tokens(7));
    twin.postMessage(others);
    await vi.waitFor(() => expect(currentSession().tokens).toEqual(tokens(8)));
    // A channel keeps the order: by the second answer there would be a first.
    twin.postMessage({ wanted: 'refresh 1' });
    twin.postMessage({ wanted: 'refresh 7' });
    await vi.waitFor(() => expect(heard).toContainEqual(others));
    expect(heard).toEqual([others]);
  });
});

test('a turn and a fact are hidden by their ids; one that is gone is a 404 for the dialog', async () => {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (path: string, { method }: { method: string }) => {
    asked.push(`${method} ${path}`);
    return json(asked.length > 2 ? 404 : 204, { message: 'There is no such turn.' });
  });
  expect(await hideTurn('trn_1/2')).toBeUndefined();
  expect(await hideObservation('obs_1')).toBeUndefined();
  await expect(hideTurn('trn_1')).rejects.toMatchObject({ status: 404 });
  expect(asked).toEqual([
    'DELETE /memory/turns/trn_1%2F2',
    'DELETE /memory/observations/obs_1',
    'DELETE /memory/turns/trn_1',
  ]);
  expect(currentSession().tokens).toEqual(tokens(1));
});

test('a fact is corrected by its id, and the answer is what it says now', async () => {
  const asked: unknown[] = [];
  vi.stubGlobal('fetch', async (path: string, { method, body }: { method: string; body: string }) => {
    asked.push([method, path, JSON.parse(body)]);
    return json(200, { id: 'obs_2', text: 'Ada lives in Porto.' });
  });
  expect(await correctObservation('obs_1', { value: 'Porto' })).toEqual({
    id: 'obs_2',
    text: 'Ada lives in Porto.',
  });
  expect(asked).toEqual([['PATCH', '/memory/observations/obs_1', { value: 'Porto' }]]);
});
