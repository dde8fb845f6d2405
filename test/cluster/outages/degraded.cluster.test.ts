/**
 * One engine after another is down, while nothing else is asked of the service: what doesn't need it is
 * answered, what does is a 503, and /readyz says which.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { IngestAnswer } from '../../../schemas/http/ingestion.ts';
import type { Readiness } from '../../../schemas/http/service.ts';
import { canStartEngines, type OwnEngines, startEngines } from '../../support/engines/own-engines.ts';
import { type Client, send, settled } from '../../support/http/client.ts';
import { type Cluster, makeCluster } from '../../support/processes/cluster.ts';
import type { Server } from '../../support/processes/server.ts';
import { untilDefined } from '../../support/wait.ts';
import { turn } from '../../support/worlds/builders.ts';

const PORT = 19_700;
const PATIENCE_MS = 60_000;
const SESSION = { user_id: 'ada', session_id: 's' };
const TODAY = '/usage/today';
const LIST = '/memory/turns?user_id=ada&session_id=s';
/** Days that the counters no longer have. */
const EARLIER = '/usage/summary?month=2026-01';

/** Turns of a moment ago: of those of weeks ago the index is asked. */
const recent = (n: number) => ({ ...turn(n), timestamp: new Date(Date.now() - 60_000).toISOString() });

if (!canStartEngines && process.env.CI)
  throw new Error('TURNSTONE_TEST_ENGINES must name the engines script');

describe.skipIf(!canStartEngines)('an API of whose engines one is down', () => {
  let engines: OwnEngines;
  let cluster: Cluster;
  let api: Server;
  let client: Client;
  let acknowledged: { body: object; answer: IngestAnswer };
  let n = 10;

  const statusOf = async (method: string, path: string, body?: object): Promise<number> =>
    (await client.request(method, path, body)).status;
  const newBody = () => ({ scope: { org_id: 'acme', ...SESSION }, turns: [recent(n++)] });
  const write = (): Promise<number> => statusOf('POST', '/ingestion/memory', newBody());
  const recall = (): Promise<number> =>
    statusOf('POST', '/recall', { scope: { org_id: 'acme', user_id: 'ada' }, q: 'which violin?' });
  const ready = () => send<Readiness>(`${api.url}/readyz`, 'GET');
  const degraded = (names: readonly string[]) =>
    untilDefined(
      `degraded: ${names}`,
      async () => {
        const { status, body } = await ready();
        return body.degraded.join() === names.join() ? { status, ready: body.ready } : undefined;
      },
      PATIENCE_MS,
    );
  const READY = { status: 200, ready: true };

  beforeAll(async () => {
    engines = await startEngines(PORT, 1);
    cluster = await makeCluster(engines.environment);
    api = await cluster.start('api');
    await cluster.start('projector');
    await cluster.start('enricher');
    client = await cluster.client(api);
    const body = newBody();
    acknowledged = { body, answer: await client.ingest(body) };
    await settled(api.url, PATIENCE_MS);
    expect(await degraded([])).toEqual(READY);
  });
  afterAll(async () => {
    await cluster?.close();
    await engines?.close();
  });

  it('Elasticsearch: writes and retries of acknowledged writes go on, and usage', async () => {
    await engines.kill('elasticsearch');
    expect(await degraded(['elasticsearch'])).toEqual(READY);
    expect(await write()).toBe(202);
    const retry = await client.request<IngestAnswer>('POST', '/ingestion/memory', acknowledged.body);
    expect(retry.status).toBe(202);
    const { job_id, active_fragment_ids } = acknowledged.answer;
    expect(retry.body).toMatchObject({ job_id, active_fragment_ids, usage: { tokens_in: 0 } });
    expect(await statusOf('GET', TODAY)).toBe(200);
    expect([await recall(), await statusOf('GET', LIST)]).toEqual([503, 503]);
    await engines.start('elasticsearch');
    expect(await degraded([])).toEqual(READY);
    expect(await recall()).toBe(200);
  });

  it('ClickHouse: writes, recalls, lists and the usage of today go on', async () => {
    await engines.kill('clickhouse');
    expect(await degraded(['clickhouse'])).toEqual(READY);
    const before = (await client.today()).tokens_in;
    const { usage } = await client.ingest({ scope: SESSION, turns: [recent(n++)] });
    expect((await client.today()).tokens_in).toBe(before + usage.tokens_in);
    expect([await recall(), await statusOf('GET', LIST)]).toEqual([200, 200]);
    expect(await statusOf('GET', EARLIER)).toBe(503);
    await engines.start('clickhouse');
    expect(await degraded([])).toEqual(READY);
    expect(await statusOf('GET', EARLIER)).toBe(200);
  });

  it('Kafka: lists and the usage of today go on, and what must be logged is refused', async () => {
    await settled(api.url, PATIENCE_MS);
    const before = await client.today();
    await engines.kill('kafka');
    const { status, ready: isReady } = await untilDefined(
      'Kafka is missed',
      async () => {
        const { status, body } = await ready();
        return body.degraded.includes('kafka') ? { status, ready: body.ready } : undefined;
      },
      PATIENCE_MS,
    );
    expect({ status, ready: isReady }).toEqual(READY);
    expect([await statusOf('GET', TODAY), await statusOf('GET', LIST)]).toEqual([200, 200]);
    // The first ones find out; then it is known, and nobody waits for half a minute.
    expect(await Promise.all([write(), recall(), statusOf('GET', EARLIER)])).toEqual([503, 503, 503]);
    const pending = [write(), write()];
    const started = performance.now();
    expect(await Promise.race([write(), ...pending])).toBe(503);
    expect(performance.now() - started).toBeLessThan(8_000);
    await Promise.all(pending);
    expect(await client.today()).toEqual(before);
    await engines.start('kafka');
    expect(await degraded([])).toEqual(READY);
    await untilDefined('writes again', async () => ((await write()) === 202 ? true : undefined), PATIENCE_MS);
    expect(await recall()).toBe(200);
  });

  it('Redis: nothing can be authenticated, so it is not ready until it is back', async () => {
    await engines.kill('redis');
    expect(await degraded(['redis'])).toEqual({ status: 503, ready: false });
    expect([await write(), await recall(), await statusOf('GET', TODAY)]).toEqual([503, 503, 503]);
    expect(await statusOf('GET', '/healthz')).toBe(200);
    await engines.start('redis');
    expect(await degraded([])).toEqual(READY);
    expect([await write(), await recall(), await statusOf('GET', TODAY)]).toEqual([202, 200, 200]);
  });
});
