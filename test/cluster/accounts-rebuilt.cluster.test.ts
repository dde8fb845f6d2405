/**
 * A Redis that comes back empty, with processes on it: its accounts come from their index and not from the
 * log, also after the index was lost or restored, and with an index that is filled for the first time.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accountIndex } from '../../infra/cluster/elasticsearch/accounts/account-index.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { dropNamespaceOfKilled } from '../support/engines/drop-namespace.ts';
import { clusterConfig, engineEnvironment } from '../support/engines/engines.ts';
import { describeWithRedis } from '../support/engines/own-redis.ts';
import { type OwnRedis, startOwnRedis } from '../support/engines/redis-server.ts';
import { accessToken, type Client, expectStatus, metric, send } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import type { Server } from '../support/processes/server.ts';
import { until, untilDefined } from '../support/wait.ts';
import { signUp } from '../support/worlds/newcomers.ts';

interface Key {
  id: string;
  api_key: string;
}

describeWithRedis('the accounts of a Redis that comes back empty', () => {
  let own: OwnRedis;
  let cluster: Cluster;
  let server: Server;
  let elasticsearch: Elasticsearch;
  let index: string;
  let client: Client;
  /** API keys after all that was decided: those that must work, and those that must not. */
  const living: string[] = [];
  const revoked: string[] = [];
  let entities = 0;
  beforeAll(async () => {
    own = await startOwnRedis('--appendonly', 'yes', '--maxmemory-policy', 'noeviction');
    const engines = { ...engineEnvironment(), TURNSTONE_REDIS_URL: own.url, TURNSTONE_LOG_LEVEL: 'info' };
    cluster = await makeCluster(engines, { TURNSTONE_SIGNUP: 'open' });
    const config = clusterConfig({ namespace: cluster.namespace });
    elasticsearch = connectElasticsearch(config);
    index = accountIndex(config);
    server = await cluster.start('all');
    client = await cluster.client(server);
    living.push(cluster.apiKey);
  });
  afterAll(async () => {
    await cluster?.close();
    await elasticsearch?.close();
    await own?.close();
    if (cluster) await dropNamespaceOfKilled(clusterConfig({ namespace: cluster.namespace }));
  });

  const decide = async (name: string): Promise<void> => {
    const { apiKey } = await signUp(server.url, name);
    living.push(apiKey);
    const created = async (): Promise<Key> =>
      expectStatus(await client.request<Key>('POST', '/me/api-keys', { name, roles: ['memory:read'] }), 201);
    const [kept, lost] = [await created(), await created()];
    expectStatus(await client.request('DELETE', `/me/api-keys/${lost.id}`), 204);
    living.push(kept.api_key);
    revoked.push(lost.api_key);
  };
  const isIndexed = (): Promise<void> =>
    until(
      'all is indexed',
      async () => (await metric(server.url, 'turnstone_account_index_lag_events')) === 0,
      60_000,
    );
  const stored = async (): Promise<number> => {
    await elasticsearch.ask('POST', `/${index}/_refresh`);
    const body = { query: { exists: { field: 'owner' } } };
    return (await elasticsearch.ask<{ count: number }>('POST', `/${index}/_count`, { body })).count;
  };
  const rebuilds = (): { entities: number; events: number }[] =>
    server
      .stderr()
      .split('\n')
      .filter(line => line.includes('Redis was rebuilt from the log'))
      .map(line => (JSON.parse(line) as { accounts: { entities: number; events: number } }).accounts);
  /** Wipes Redis; returns what the accounts were rebuilt from. */
  const wipe = async (): Promise<{ entities: number; events: number }> => {
    const before = rebuilds().length;
    await own.crash();
    rmSync(join(own.folder, 'appendonlydir'), { recursive: true });
    await own.start();
    return untilDefined('it is rebuilt', async () => rebuilds()[before], 60_000);
  };
  const answersAsBefore = async (): Promise<void> => {
    await until('ready', async () => (await fetch(`${server.url}/readyz`)).status === 200, 30_000);
    for (const key of living) expect(await accessToken(server.url, key)).toBeTruthy();
    for (const key of revoked) await expect(accessToken(server.url, key)).rejects.toThrow(/status 40[13]/);
    const again = await send(`${server.url}/signup`, 'POST', { org_id: 'one' });
    expect(again.status).toBe(409);
  };

  it('come from the index, and nothing is read from the log', async () => {
    await decide('one');
    await decide('two');
    await isIndexed();
    const found = await wipe();
    expect(found.events).toBe(0);
    expect(found.entities).toBeGreaterThan(8);
    entities = found.entities;
    await answersAsBefore();
  });

  it('come from the log while the index is lost, and from the index again when it was made anew', async () => {
    await elasticsearch.ask('DELETE', `/${index}`);
    const fromLog = await wipe();
    expect(fromLog.entities).toBe(0);
    expect(fromLog.events).toBeGreaterThan(5);
    await answersAsBefore();
    expect(server.stderr()).toContain('all of the accounts are read from the log');
    // A decision is in force at once, whatever becomes of the index.
    await decide('three');
    const outcome = await runCommand(['migrate'], cluster.environment);
    expect(outcome, outcome.stderr).toMatchObject({ status: 0 });
    await until('what comes is indexed', async () => (await stored()) > 0, 60_000);
    // Also where nothing comes: the group goes back to where the index is.
    let found = await wipe();
    await until(
      'all is written again',
      async () => {
        if (found.events > 0) found = await wipe();
        return found.events === 0;
      },
      100_000,
    );
    expect(found.entities).toBeGreaterThan(entities);
    await answersAsBefore();
  });
});
