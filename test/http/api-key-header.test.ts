import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openEvents } from '../support/http/event-stream.ts';
import { type Server, startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { call, exchange, newKey, ok, query, refused, signUp, turn, write } from './contract/kit.ts';

let server: Server;
beforeAll(async () => {
  server = await startServer({
    environment: { TURNSTONE_AUTH_FAILURES_PER_MINUTE: '12', TURNSTONE_TRUSTED_PROXIES: '127.0.0.1,::1' },
  });
});
afterAll(() => server?.stop());

/** As if from this address, so that each test has failures of its own. */
const from = (address: string, apiKey: string) => ({ 'x-forwarded-for': address, 'x-api-key': apiKey });
const wrong = (apiKey: string): string => `${apiKey.slice(0, -4)}AAAA`;

describe('X-API-Key', () => {
  test('replaces a token, with the roles, the user and the session of the key', async () => {
    const { url } = server;
    const owner = await signUp(url);
    const send = (apiKey: string, method: string, path: string, body?: unknown) =>
      call(url, method, path, { body, headers: from('192.0.2.1', apiKey) });
    expect(ok<{ org_id: string }>(await send(owner.apiKey, 'GET', '/me')).org_id).toBe(owner.org);
    const key = await newKey(owner, { roles: ['memory:write'], user_id: 'ada', session_id: 'monday' });
    ok(await send(key.api_key, 'POST', '/ingestion/memory', write([turn('Grace likes tea.')])), 202);
    refused(await send(key.api_key, 'POST', '/recall', query('tea')), 403);
    refused(
      await send(key.api_key, 'POST', '/ingestion/memory', {
        scope: { org_id: 'any', user_id: 'grace' },
        turns: [turn('x')],
      }),
      403,
    );
    const { hits } = ok<{ hits: { turns: { user_id: string; session_id: string }[] } }>(
      await send(owner.apiKey, 'POST', '/recall', query('tea')),
    );
    expect(hits.turns[0]).toMatchObject({ user_id: 'ada', session_id: 'monday' });
    await until('its use is on record', async () => {
      const { api_keys } = ok<{ api_keys: { id: string; last_used_at: string | null }[] }>(
        await owner.send('GET', '/me/api-keys'),
      );
      return api_keys.find(({ id }) => id === key.id)!.last_used_at !== null;
    });
  });

  test('unknown is 401 and revoked 403 at once, whatever the token beside it', async () => {
    const { url } = server;
    const owner = await signUp(url);
    const key = await newKey(owner);
    const me = (apiKey: string) =>
      call(url, 'GET', '/me', {
        headers: { ...from('192.0.2.2', apiKey), authorization: `Bearer ${owner.token}` },
      });
    ok(await me(key.api_key));
    for (const unknown of [wrong(key.api_key), 'nothing', owner.token]) refused(await me(unknown), 401);
    ok(await owner.send('DELETE', `/me/api-keys/${key.id}`), 204);
    refused(await me(key.api_key), 403);
    refused(await me(key.api_key), 403);
  });

  test('the calls of a key that was revoked are no failures of its address', async () => {
    const { url } = server;
    const owner = await signUp(url);
    const [revoked, other] = [await newKey(owner), await newKey(owner)];
    const me = (apiKey: string) => call(url, 'GET', '/me', { headers: from('192.0.2.4', apiKey) });
    ok(await me(revoked.api_key));
    ok(await owner.send('DELETE', `/me/api-keys/${revoked.id}`), 204);
    for (let n = 0; n < 13; n++) refused(await me(revoked.api_key), 403);
    ok(await me(other.api_key));
  });

  test('failures count with those of exchanges, and a valid key goes on, known before or not', async () => {
    const { url } = server;
    const owner = await signUp(url);
    const [known, fresh] = [await newKey(owner), await newKey(owner)];
    const me = (apiKey: string) => call(url, 'GET', '/me', { headers: from('192.0.2.3', apiKey) });
    ok(await me(known.api_key));
    for (let n = 0; n < 12; n++) refused(await me(`ts_00000000000000${n + 10}_${'a'.repeat(43)}`), 401);
    const limited = refused(await me(`ts_0000000000000009_${'a'.repeat(43)}`), 429);
    expect(limited.details).toMatchObject({ error: 'rate_limited' });
    ok(await me(fresh.api_key));
    const body = { api_key: fresh.api_key };
    const exchanged = await call(url, 'POST', '/auth/token-exchange', {
      body,
      headers: { 'x-forwarded-for': '192.0.2.3' },
    });
    ok(exchanged);
    ok(await me(known.api_key));
    refused(await me(`ts_0000000000000008_${'a'.repeat(43)}`), 429);
  });

  test('as a bearer token a key is 401, and the message names the header', async () => {
    const { url } = server;
    const owner = await signUp(url);
    const { message } = refused(await call(url, 'GET', '/me', { token: owner.apiKey }), 401);
    expect(message).toContain('X-API-Key');
    // It is no guess.
    for (let n = 0; n < 20; n++) refused(await call(url, 'GET', '/me', { token: owner.apiKey }), 401);
    await exchange(url, owner.apiKey);
  });

  test('a stream of a key ends when the key is revoked', async () => {
    const { url } = server;
    const owner = await signUp(url);
    const key = await newKey(owner);
    const response = await fetch(`${url}/events?after=now`, { headers: from('192.0.2.5', key.api_key) });
    expect(response.status).toBe(200);
    ok(await owner.send('DELETE', `/me/api-keys/${key.id}`), 204);
    let heard = 0;
    for await (const chunk of response.body!) heard += chunk.length;
    expect(heard).toBeGreaterThan(0);
    const refusedStream = await openEvents(url, key.api_key);
    expect(refusedStream.status).toBe(401);
    refusedStream.close();
  });
});
