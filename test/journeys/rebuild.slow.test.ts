import { expect, it } from 'vitest';
import { accessToken, connect, inParallel, send } from '../support/http/client.ts';
import { startServer } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';
import { forgetProjections } from '../support/worlds/generations.ts';

const environment = {
  TURNSTONE_CLOCK: '2026-03-10T08:00:00Z',
  TURNSTONE_QUOTA_TOKENS_IN: '0',
  TURNSTONE_QUOTA_TOKENS_OUT: '0',
};
const scopeOf = (n: number) => ({ user_id: 'ada', session_id: `session-${n % 4}` });

it('the service says 503 and nothing wrong while it builds many projections anew', async () => {
  const first = await startServer({ environment });
  const token = await accessToken(first.url, first.apiKey);
  const client = await connect(first, token);
  await inParallel(7, 4, async batch => {
    const turns = Array.from({ length: 1_000 }, (_, i) => turn(batch * 1_000 + i));
    await client.ingest({ scope: scopeOf(batch), turns, options: { write_passive: false } });
  });
  const { tokens_in } = await client.today();
  await first.stop();
  forgetProjections(first.dataDir);

  const second = await startServer({ environment, dataDir: first.dataDir });
  const again = await connect(second, token);
  const seen = new Set<number>();
  await until(
    'the projections are built',
    async () => {
      const answer = await again.request<{ tokens_in: number }>('GET', '/usage/today');
      seen.add(answer.status);
      if (answer.status === 503) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      else expect(answer.body.tokens_in).toBe(tokens_in);
      const ready = await send(`${second.url}/readyz`, 'GET');
      return ready.status === 200 && answer.status === 200;
    },
    60_000,
  );
  expect([...seen].every(status => status === 200 || status === 503)).toBe(true);
  const write = await again.ingest({
    scope: scopeOf(6),
    turns: [turn(6_999)],
    options: { write_passive: false },
  });
  expect(write.usage.tokens_in).toBe(0);
  await second.stop();
});
