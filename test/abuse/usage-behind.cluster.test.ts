/** Projectors that stood still longer than Redis' counters reach back: usage waits, and is never short. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { UsageTotals } from '../../schemas/http/usage.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { expectStatus, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { untilDefined } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

const DAY_MS = 86_400_000;
/** In the middle of a month: four days later is in the same one. */
const THEN = '2026-03-10T08:00:00Z';
const MONTH = '/usage/summary?month=2026-03';

describeOnEngines('usage while the projectors are behind', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_CLOCK: THEN });
  });
  afterAll(() => cluster?.close());

  it('is a 503 for days that are not projected, and exact for them afterwards', async () => {
    const before = await cluster.start('api');
    const { usage } = await (await cluster.client(before)).ingest({
      scope: { user_id: 'ada' },
      turns: [turn(1), turn(2)],
    });
    expect(usage.tokens_in).toBeGreaterThan(0);
    await before.stop();

    const environment = { TURNSTONE_CLOCK: new Date(Date.parse(THEN) + 4 * DAY_MS).toISOString() };
    const api = await cluster.start('api', { environment });
    const client = await cluster.client(api);
    const month = () => client.request<UsageTotals>('GET', MONTH);
    const behind = await month();
    expect(behind.status).toBe(503);
    expect(behind.headers.get('retry-after')).not.toBeNull();
    expect((await client.request('GET', '/usage/daily?month=2026-03')).status).toBe(503);
    // Today is in the counters.
    expect(expectStatus(await client.request<UsageTotals>('GET', '/usage/today'), 200).tokens_in).toBe(0);

    const projector = await cluster.start('projector', { environment });
    const enricher = await cluster.start('enricher', { environment });
    await settled(api.url, 60_000);
    const after = await untilDefined('the month is projected', async () => {
      const { status, body } = await month();
      return status === 200 ? body : undefined;
    });
    expect(after.tokens_in).toBe(usage.tokens_in);
    await Promise.all([projector.stop(), enricher.stop(), api.stop()]);
  });
});
