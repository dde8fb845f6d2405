/** The recalls of one organization: over all partitions of the topic `usage`, and summed exactly. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { encodeEvent } from '../../core/log/encode.ts';
import { partitionsOf } from '../../core/log/positions.ts';
import { usageKey } from '../../core/log/usage-key.ts';
import type { NewRecord } from '../../core/ports.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import type { UsageTotals } from '../../schemas/http/usage.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { expectStatus, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import { untilDefined } from '../support/wait.ts';
import { turn } from '../support/worlds/builders.ts';

const DAY_MS = 86_400_000;
const THEN = '2026-03-10T08:00:00Z';
const RECALLS = 24;
const MORE = 20;

/** A recall of `n` tokens. */
const metered = (n: number): NewRecord => ({
  topic: 'usage',
  key: usageKey('acme', `rcl_${n}`),
  value: encodeEvent({
    id: `rcl_${n}`,
    type: 'recall.metered',
    org_id: 'acme',
    recorded_at: new Date(THEN).toISOString(),
    correlation_id: `c-${n}`,
    data: { user_id: 'ada', tokens_in: n, tokens_out: 10 * n },
  }),
});

describeOnEngines('usage of one organization', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_CLOCK: THEN });
  }, 240_000);
  afterAll(() => cluster?.close());

  it('is spread over the partitions, and its sums are exact with copies and a day that closes', async () => {
    const log = await openKafkaLog({ ...clusterConfig(), namespace: cluster.namespace });
    const api = await cluster.start('api');
    const client = await cluster.client(api);
    const sum = { tokens_in: 0, tokens_out: 0 };
    const add = (usage: typeof sum): void => {
      sum.tokens_in += usage.tokens_in;
      sum.tokens_out += usage.tokens_out;
    };
    add((await client.ingest({ scope: { user_id: 'ada' }, turns: [turn(1), turn(2)] })).usage);
    for (let n = 0; n < RECALLS; n++) add((await client.recall({ q: `word${n}` })).usage);
    const spread = partitionsOf(await log.ends(), 'usage').map(({ offset }) => offset);
    expect(spread.filter(offset => offset > 0).length).toBeGreaterThan(2);
    expect(spread.reduce((a, b) => a + b)).toBe(RECALLS);
    // Nothing is projected yet: these are the counters alone.
    expect(await client.today()).toMatchObject(sum);

    const numbers = Array.from({ length: MORE }, (_, i) => i + 1);
    const more = numbers.map(metered);
    // Twice, as a call that is retried without an answer may append them.
    for (let copy = 0; copy < 2; copy++) await log.append(more);
    for (const n of numbers) add({ tokens_in: n, tokens_out: 10 * n });

    // Four days later the counters don't reach back: the day is in the store, or it is refused.
    const environment = { TURNSTONE_CLOCK: new Date(Date.parse(THEN) + 4 * DAY_MS).toISOString() };
    const later = await cluster.start('api', { environment });
    const month = async () =>
      (await cluster.client(later)).request<UsageTotals>('GET', '/usage/summary?month=2026-03');
    expect((await month()).status).toBe(503);
    const projector = await cluster.start('projector', { environment });
    const enricher = await cluster.start('enricher', { environment });
    await settled(later.url, 60_000);
    const projected = await untilDefined('the month is projected', async () => {
      const answer = await month();
      return answer.status === 503 ? undefined : expectStatus(answer, 200);
    });
    expect(projected).toMatchObject(sum);
    // The counters of the day itself learned of what was never remembered, once.
    expect(await client.today()).toMatchObject(sum);
    await projector.kill();
    const again = await cluster.start('projector', { environment });
    await settled(later.url, 60_000);
    expect(expectStatus(await month(), 200)).toMatchObject(sum);
    const verified = await runCommand(['verify', 'usage'], { ...cluster.environment, ...environment });
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
    await Promise.all([again, enricher, later, api].map(server => server.stop()));
    await log.close();
  });
});
