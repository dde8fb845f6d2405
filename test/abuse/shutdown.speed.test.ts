/** A rolling update behind a load balancer that needs some seconds to see that a process goes. */
import { expect, it } from 'vitest';
import { connect, send } from '../support/http/client.ts';
import { startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

const PAUSE_S = 6;

interface Ready {
  ready: boolean;
  engines: Record<string, { ok: boolean }>;
}

it('is not ready first, answers calls for the pause, and only then stops listening', async () => {
  const server = await startServer({
    environment: { TURNSTONE_SHUTDOWN_PAUSE_SECONDS: String(PAUSE_S) },
  });
  const client = await connect(server);
  await client.ingest({ turns: [turn(1)] });
  const ready = () => send<Ready>(`${server.url}/readyz`, 'GET');
  expect((await ready()).body.ready).toBe(true);

  const signalled = performance.now();
  const stopped = server.stop();
  await until('it is not ready', async () => (await ready()).status === 503, PAUSE_S * 1_000);
  const { body, headers } = await ready();
  expect(body.ready).toBe(false);
  expect(body.engines.process?.ok).toBe(false);
  expect(headers.get('retry-after')).not.toBeNull();
  let answered = 0;
  let lastAt = 0;
  try {
    for (;;) {
      await client.ingest({ turns: [turn(2 + answered)] });
      answered++;
      lastAt = performance.now();
    }
  } catch (error) {
    // Refused by a socket that is closed, not by the service.
    expect(String((error as Error).cause ?? error)).toMatch(/ECONNREFUSED|ECONNRESET|other side closed/);
  }
  expect(answered).toBeGreaterThan(10);
  expect(lastAt - signalled).toBeGreaterThan(PAUSE_S * 1_000 - 300);
  expect(await stopped).toBe(0);
  expect(performance.now() - signalled).toBeLessThan(PAUSE_S * 1_000 + 9_500);
});
