import { expect, it } from 'vitest';
import { connect } from '../support/http/client.ts';
import { stopClock } from '../support/processes/clock.ts';
import { startServer } from '../support/processes/server.ts';
import { turn } from '../support/worlds/builders.ts';

/** The last seconds of a month, and the next one. */
// Switched off: `projectUsage` bills the machine's day instead of the event's → tokens_in 0, not 28.
it('bills a day and a month to their end, and opens the quota at midnight', async () => {
  const clock = stopClock('2026-01-31T23:59:55Z');
  const server = await startServer({
    environment: { ...clock.environment, TURNSTONE_QUOTA_TOKENS_IN: '60' },
  });
  const client = await connect(server);
  const first = await client.ingest({ turns: [turn(1), turn(2)] });
  const recall = await client.recall({ q: 'kettle' });
  const january = {
    tokens_in: first.usage.tokens_in + recall.usage.tokens_in,
    tokens_out: recall.usage.tokens_out,
  };
  const today = await client.today();
  expect(today).toMatchObject({
    ...january,
    start: '2026-01-31T00:00:00+00:00',
    end: '2026-02-01T00:00:00+00:00',
  });

  const body = { scope: { org_id: 'any' }, turns: [turn(3), turn(4), turn(5)] };
  const refused = await client.request<{ details: object }>('POST', '/ingestion/memory', body);
  expect(refused.status).toBe(429);
  expect(refused.body.details).toMatchObject({
    error: 'quota_exceeded',
    kind: 'tokens_in_daily',
    used: january.tokens_in,
    limit: 60,
    period_start: expect.stringMatching(/^2026-01-31T00:00:00/),
  });
  expect(refused.headers.get('retry-after')).toBe('5');

  clock.pass(Date.parse('2026-02-01T00:00:00Z'));
  expect(await client.today()).toMatchObject({
    start: '2026-02-01T00:00:00+00:00',
    tokens_in: 0,
    tokens_out: 0,
  });
  // A turn's day is that of its first write.
  expect((await client.ingest({ turns: [turn(1), turn(2)] })).usage).toEqual({ tokens_in: 0, tokens_out: 0 });
  const { tokens_in } = (await client.ingest(body)).usage;
  expect(await client.today()).toMatchObject({ tokens_in, tokens_out: 0 });
  expect(await client.month('2026-01')).toMatchObject(january);
  expect(await client.month('2026-02')).toMatchObject({ tokens_in, tokens_out: 0 });

  // The next start reads from the log what this process counted.
  await server.stop();
  const next = await startServer({ dataDir: server.dataDir, environment: clock.environment });
  const again = await connect(next);
  expect(await again.month('2026-01')).toMatchObject(january);
  expect(await again.today()).toMatchObject({ tokens_in, tokens_out: 0 });
  await next.stop();
});
