import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type Caller,
  callerWith,
  type Ingested,
  type Reply,
  refused,
  turn,
  type Usage,
} from '../http/contract/kit.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { describeWithRedis } from '../support/engines/own-redis.ts';
import { type OwnRedis, startOwnRedis } from '../support/engines/redis-server.ts';
import { metric } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import type { Server } from '../support/processes/server.ts';
import { until, untilDefined } from '../support/wait.ts';

const MEMORY = 16 * 1024 * 1024;
const TEXT = 'word '.repeat(12_000);
/** More than fit into the memory. */
const MOST_WRITES = 400;

describeWithRedis('a Redis without memory', () => {
  let own: OwnRedis;
  let cluster: Cluster;
  let api: Server;
  let acme: Caller;
  let other: Caller;
  beforeEach(async () => {
    own = await startOwnRedis('--maxmemory', String(MEMORY), '--maxmemory-policy', 'noeviction');
    cluster = await makeCluster({ ...engineEnvironment(), TURNSTONE_REDIS_URL: own.url });
    const projector = await cluster.start('projector');
    const made = await runCommand(['orgs', 'create', 'other'], cluster.environment);
    await projector.stop();
    api = await cluster.start('api');
    await until('ready', async () => (await fetch(`${api.url}/readyz`)).status === 200);
    acme = await callerWith(api.url, cluster.apiKey);
    other = await callerWith(api.url, /API key: (\S+)/.exec(made.stdout)![1]!);
  });
  afterEach(async () => {
    await cluster?.close();
    await own?.close();
    if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  const body = (n: number) => ({
    scope: { org_id: 'any', session_id: `s${n % 8}` },
    turns: [turn(`Pebble ${n}. ${TEXT}`)],
  });
  const send = (caller: Caller, n: number): Promise<Reply> =>
    caller.send('POST', '/ingestion/memory', body(n));
  const tooFull = (reply: Reply, message: RegExp): void => {
    expect(refused(reply, 503).message).toMatch(message);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  };

  test('refuses writes at 80 %, keeps the rest for what drains, and comes back by itself', async () => {
    // Nobody projects: what one organization writes waits, up to a quarter of the memory.
    const kept: Ingested[] = [];
    let stopped: Reply | undefined;
    const write = async (): Promise<void> => {
      while (!stopped && kept.length < MOST_WRITES) {
        const reply = await send(acme, kept.length);
        if (reply.status === 202) kept.push(reply.as<Ingested>());
        else stopped = reply;
      }
    };
    await write();
    tooFull(stopped!, /^The projections are too far behind/);
    expect(await own.used()).toBeLessThan(0.5 * MEMORY);
    expect((await send(other, 1)).status).toBe(202);

    // Others need the memory, too.
    await own.fill(0.82 * MEMORY);
    tooFull(await send(other, 2), /^Redis is too full/);
    expect((await send(other, 1)).status).toBe(202);
    const recalled = await acme.recall({ scope: { org_id: 'any' }, q: 'pebble' });
    expect(recalled.hits.turns.length).toBeGreaterThan(0);
    const billed = kept.reduce((sum, { usage }) => sum + usage.tokens_in, 0);

    // All of it is gone: what waits must be able to leave all the same.
    await own.fill(0.95 * MEMORY);
    await own.redis.config('SET', 'maxmemory', Math.floor((await own.used()) - 0.03 * MEMORY));
    await expect(own.redis.set('more', 'x')).rejects.toThrow('OOM');
    await cluster.start('projector');
    await until(
      'everybody is served again',
      async () => (await send(acme, MOST_WRITES)).status === 202 && (await send(other, 2)).status === 202,
      60_000,
    );
    expect(await own.used()).toBeLessThan(0.8 * MEMORY);

    // The latest writes may still wait in the tails.
    const { usage } = await untilDefined('another is taken', async () => {
      const reply = await send(acme, MOST_WRITES + 1);
      return reply.status === 202 ? reply.as<Ingested>() : undefined;
    });
    const used = (await acme.get<Usage>('/usage/today')).tokens_in;
    expect(used).toBe(billed + recalled.usage.tokens_in + 2 * usage.tokens_in);
    const lag = () => metric(api.url, 'turnstone_projector_lag_events');
    await until('projected', async () => (await lag()) === 0, 60_000);
    const verified = await runCommand(['verify', '--json'], cluster.environment);
    expect(verified, verified.stdout + verified.stderr).toMatchObject({ status: 0 });
  });

  test('is not used while its maxmemory-policy deletes what is still needed, and then is by itself', async () => {
    const ready = async () => {
      const response = await fetch(`${api.url}/readyz`);
      return { status: response.status, text: await response.text() };
    };
    await own.redis.config('SET', 'maxmemory-policy', 'allkeys-lru');
    await until('not ready', async () => (await ready()).status === 503);
    expect((await ready()).text).toMatch(/maxmemory-policy allkeys-lru.*noeviction/);
    tooFull(await send(acme, 1), /^Redis/);
    const late = cluster.start('api');
    await own.redis.config('SET', 'maxmemory-policy', 'noeviction');
    await late;
    await until('ready again', async () => (await ready()).status === 200);
    expect((await send(acme, 1)).status).toBe(202);
  });
});
