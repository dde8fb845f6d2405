import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Server, startServer } from '../../support/processes/server.ts';
import { type Caller, call, ok, query, signUp, turn, write } from './kit.ts';

let server: Server;
let owner: Caller;

beforeAll(async () => {
  server = await startServer({ environment: { TURNSTONE_LOG_LEVEL: 'debug' } });
  owner = await signUp(server.url);
});
afterAll(() => server?.stop());

describe('health, readiness and metrics', () => {
  test('are open, lists each engine', async () => {
    ok(await call(server.url, 'GET', '/healthz'));
    const ready = ok<{ ready: boolean; engines: Record<string, { ok: boolean }> }>(
      await call(server.url, 'GET', '/readyz'),
    );
    expect(ready.ready).toBe(true);
    expect(Object.keys(ready.engines).length).toBeGreaterThan(0);
    for (const engine of Object.values(ready.engines)) expect(engine.ok).toBe(true);
  });

  test('metrics are of Prometheus, and hold no name, key, token or text', async () => {
    await owner.ingest({
      scope: { org_id: 'x', user_id: 'metric-user', session_id: 'metric-session' },
      turns: [turn('metric secret text')],
    });
    await call(server.url, 'GET', '/some/odd/path/zzz');
    const reply = await call(server.url, 'GET', '/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toMatch(
      /^text\/plain; (version=0\.0\.4; )?charset=utf-8|^text\/plain; version=0\.0\.4/i,
    );
    for (const line of reply.text.split('\n').filter(Boolean))
      expect(line).toMatch(
        /^# (HELP|TYPE) [a-zA-Z_:]\S*|^[a-zA-Z_:][\w:]*(\{[^}]*\})? (-?[\d.e+-]+|[+-]Inf|NaN)( \d+)?$/,
      );
    for (const secret of [
      owner.org,
      owner.apiKey,
      owner.token,
      'metric-user',
      'metric-session',
      'metric secret',
      'zzz',
    ])
      expect(reply.text).not.toContain(secret);
  });

  test('a thousand unknown paths make no thousand series', async () => {
    const size = async (): Promise<number> =>
      (await call(server.url, 'GET', '/metrics')).text.split('\n').length;
    await call(server.url, 'GET', '/unknown');
    const before = await size();
    for (let i = 0; i < 100; i++) await call(server.url, i % 2 ? 'GET' : 'POST', `/unknown-${i}/${i}`);
    expect(await size()).toBeLessThan(before + 60);
  });
});

test('the log names no key, token or text', async () => {
  await owner.ingest(write([turn('logged marzipan secret')]));
  await owner.recall(query('logged marzipan question'));
  await owner.send('POST', '/ingestion/memory', { turns: 'marzipan' });
  const written = server.stdout() + server.stderr();
  for (const secret of ['marzipan', owner.apiKey, owner.token, owner.tokens.refresh_token])
    expect(written).not.toContain(secret);
});
