import { afterAll, beforeAll, expect, it } from 'vitest';
import { holdClock } from '../support/clock.ts';
import { type Cluster, makeCluster } from '../support/cluster.ts';
import { runCommand } from '../support/command-line.ts';
import { describeOnEngines, engineEnvironment } from '../support/engines.ts';
import type { Server } from '../support/server.ts';
import { until } from '../support/wait.ts';
import {
  eraseExpired,
  expectExpired,
  expireSome,
  expireUnderLoad,
  exportExpiring,
  setRetentions,
  streamOverExpiry,
} from './expiry.ts';

describeOnEngines('expiry, in the cluster', () => {
  let cluster: Cluster;
  let api: Server;
  const clock = holdClock();
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), {
      ...clock.environment,
      TURNSTONE_SIGNUP: 'open',
      TURNSTONE_QUOTA_TOKENS_IN: '0',
    });
    [api] = await Promise.all([cluster.start('api'), cluster.start('projector'), cluster.start('enricher')]);
  }, 300_000);
  afterAll(() => cluster?.close());
  const operate = async (...args: string[]): Promise<void> => {
    const { status, stdout, stderr } = await runCommand(args, {
      ...cluster.environment,
      ...clock.commandEnvironment(),
    });
    expect([args, status, stdout + stderr]).toEqual([args, 0, expect.any(String)]);
  };

  it('hides what has expired from every answer, after a replay too', async () => {
    const world = { url: api.url, apiKey: cluster.apiKey, clock };
    const client = await cluster.client(api);
    await setRetentions(world);
    const expired = await expireSome(world);
    await expectExpired(world, expired);
    const billed = await client.today();
    await operate('verify');
    await operate('replay', 'recall');
    await operate('verify');
    expect((await client.today()).tokens_in).toBe(billed.tokens_in);
    await expectExpired(world, expired);
    await swept();
    await expectExpired(world, expired);
    await operate('verify');
  }, 300_000);

  it('streams, erases and exports what expires', async () => {
    const world = { url: api.url, apiKey: cluster.apiKey, clock };
    await streamOverExpiry(world);
    await eraseExpired(world);
    await exportExpiring(world);
    await operate('verify');
  }, 300_000);

  it('hides thousands of turns during writes and a replay, leaves nothing of them, and loses nothing else', async () => {
    const world = { url: api.url, apiKey: cluster.apiKey, clock };
    await expireUnderLoad(world, await cluster.client(api), () => operate('replay', 'recall'));
    await operate('verify');
    await swept();
    await operate('verify');
  }, 600_000);

  /** Resolves when no generation holds words of what has expired. */
  const swept = (): Promise<void> =>
    until(
      'what has expired is swept',
      async () => {
        const place = `${cluster.environment.TURNSTONE_ELASTICSEARCH_URL}/${cluster.environment.TURNSTONE_NAMESPACE}-recall-*`;
        const words = { terms: { kind: ['turn', 'said', 'extracted', 'mention'] } };
        const query = { bool: { filter: [words, { range: { expires_at: { lte: clock.now() } } }] } };
        const answer = await fetch(`${place}/_count`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        });
        const { count } = (await answer.json()) as { count: number };
        return count === 0;
      },
      120_000,
    );
});
