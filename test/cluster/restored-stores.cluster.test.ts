/**
 * Elasticsearch and ClickHouse restored from an older copy: noticed, named, and written again from their own
 * positions.
 */
import { createClient } from '@clickhouse/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallIndexOf } from '../../infra/cluster/elasticsearch/index/index.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { clusterConfig, describeOnEngines, engineEnvironment } from '../support/engines/engines.ts';
import { said, wordsOf } from '../support/files/erased-words.ts';
import { wordsIn } from '../support/files/find-words.ts';
import { type Client, expectStatus, settled } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { runCommand } from '../support/processes/command-line.ts';
import type { Server } from '../support/processes/server.ts';
import { until, untilDefined } from '../support/wait.ts';

interface Document {
  _id: string;
  _routing?: string;
  _version: number;
  _source: Record<string, unknown>;
}

describeOnEngines('a store that was restored from an older copy', () => {
  let cluster: Cluster;
  let config: ReturnType<typeof clusterConfig>;
  let elasticsearch: Elasticsearch;
  let clickhouse: ReturnType<typeof createClient>;
  let n = 0;
  beforeAll(async () => {
    cluster = await makeCluster(engineEnvironment(), { TURNSTONE_SHARDS: '2' });
    config = { ...clusterConfig(), namespace: cluster.namespace };
    elasticsearch = connectElasticsearch(config);
    clickhouse = createClient({ url: config.clickhouseUrl, database: cluster.namespace });
  });
  afterAll(async () => {
    await cluster?.close();
    await Promise.all([elasticsearch?.close(), clickhouse?.close()]);
    if (cluster) await dropNamespace(config);
  });

  const index = () => recallIndexOf(config, 1);
  const documents = async (): Promise<Document[]> => {
    await elasticsearch.ask('POST', `/${index()}/_refresh`);
    const found = await elasticsearch.ask<{ hits: { hits: Document[] } }>('POST', `/${index()}/_search`, {
      body: { size: 10_000, version: true },
    });
    return found.hits.hits;
  };
  /** Replaces the index by one that holds these documents alone, as a restore does. */
  const restoreIndex = async (copy: readonly Document[]): Promise<void> => {
    type Settings = Record<string, { aliases: object; mappings: object }>;
    const [made] = Object.values(await elasticsearch.ask<Settings>('GET', `/${index()}`));
    await elasticsearch.ask('DELETE', `/${index()}`);
    await elasticsearch.ask('PUT', `/${index()}`, {
      body: {
        aliases: made!.aliases,
        mappings: made!.mappings,
        settings: { number_of_shards: 2, number_of_replicas: 0, refresh_interval: '-1' },
      },
    });
    if (copy.length === 0) return;
    const lines = copy.flatMap(({ _id, _routing, _version, _source }) => [
      JSON.stringify({ index: { _id, routing: _routing, version: _version, version_type: 'external' } }),
      JSON.stringify(_source),
    ]);
    const { errors } = await elasticsearch.ask<{ errors: boolean }>('POST', `/${index()}/_bulk`, {
      lines,
      query: { refresh: true },
    });
    expect(errors).toBe(false);
  };
  const command = (query: string) => clickhouse.command({ query });

  const startAll = async (): Promise<{ server: Server; client: Client }> => {
    const server = await cluster.start('all');
    return { server, client: await cluster.client(server) };
  };
  const write = async (client: Client, user: string, count: number): Promise<void> => {
    for (let left = count; left > 0; left--) await client.ingest(said(user, `day${n % 3}`, n++));
  };
  const named = (server: Server, projection: string): Promise<string> =>
    untilDefined(
      `the ${projection} is named`,
      async () => {
        const answer = (await (await fetch(`${server.url}/readyz`)).json()) as {
          ready: boolean;
          degraded: string[];
          engines: Record<string, { detail: string }>;
        };
        const detail = answer.engines.stores?.detail ?? '';
        if (!answer.degraded.includes('stores') || !detail.includes(projection)) return undefined;
        // Calls are answered meanwhile.
        expect(answer.ready).toBe(true);
        return detail;
      },
      40_000,
    );
  const whole = (server: Server): Promise<void> =>
    until(
      'the stores are whole',
      async () => {
        const { degraded } = (await (await fetch(`${server.url}/readyz`)).json()) as { degraded: string[] };
        return !degraded.includes('stores');
      },
      60_000,
    );
  const verified = async (): Promise<void> => {
    const outcome = await runCommand(['verify'], cluster.environment);
    expect(outcome, outcome.stdout + outcome.stderr).toMatchObject({ status: 0 });
  };

  it('Elasticsearch: while nothing is written, with what was erased since the copy', async () => {
    const { server, client } = await startAll();
    await write(client, 'ada', 6);
    await write(client, 'grace', 6);
    await settled(server.url, 60_000);
    const copy = await documents();
    await write(client, 'ada', 6);
    expectStatus(
      await client.request('DELETE', '/memory', { scope: { org_id: 'any', user_id: 'grace' } }),
      200,
    );
    await settled(server.url, 60_000);
    const last = n - 1;

    await restoreIndex(copy);
    expect(await named(server, 'recall')).toMatch(/recall lacks \d+ events that it held/);
    await whole(server);
    await settled(server.url, 60_000);
    expect(server.stderr() + server.stdout()).toContain('a store lacks events that it held');
    const word = wordsOf('ada', `day${last % 3}`, last)[2]!;
    const { hits } = await client.recall({ q: word, scope: { user_id: 'ada' } });
    expect(JSON.stringify(hits.turns[0])).toContain(word);
    await verified();
    const erased = ['day0', 'day1', 'day2'].flatMap(day => wordsOf('grace', day));
    const rest = (await documents()).filter(({ _source }) => _source.kind !== 'erasure');
    expect(wordsIn(Buffer.from(JSON.stringify(rest)), erased)).toEqual([]);
    await server.stop();
  });

  it('Elasticsearch: under load, one shard of it, and emptied while no process runs', async () => {
    let { server, client } = await startAll();
    await write(client, 'ada', 5);
    await settled(server.url, 60_000);
    const copy = await documents();
    await write(client, 'ada', 9);
    await settled(server.url, 60_000);
    // One shard is older.
    const current = await documents();
    const shardOf = async ({ _id, _routing }: Document): Promise<number> => {
      const { shards } = await elasticsearch.ask<{ shards: { shard: number }[][] }>(
        'GET',
        `/${index()}/_search_shards`,
        { query: { routing: _routing ?? _id } },
      );
      return shards[0]![0]!.shard;
    };
    const known = new Set(copy.map(({ _id }) => _id));
    const older = await shardOf(current.find(({ _id }) => !known.has(_id))!);
    const mixed: Document[] = [];
    for (const document of copy) if ((await shardOf(document)) === older) mixed.push(document);
    for (const document of current) if ((await shardOf(document)) !== older) mixed.push(document);
    expect(mixed.length).toBeLessThan(current.length);
    await restoreIndex(mixed);
    // The next batches must not pass over what is missing before them.
    await write(client, 'ada', 9);
    await whole(server);
    await settled(server.url, 60_000);
    await verified();
    await server.stop();

    await restoreIndex([]);
    ({ server, client } = await startAll());
    await write(client, 'ada', 1);
    await until('all is written again', async () => (await documents()).length >= current.length, 60_000);
    await whole(server);
    await settled(server.url, 60_000);
    await verified();
    await server.stop();
  });

  it('ClickHouse: the bill is what it was', async () => {
    const { server, client } = await startAll();
    const month = new Date().toISOString().slice(0, 7);
    await write(client, 'ada', 4);
    await settled(server.url, 60_000);
    await command(`CREATE TABLE copy AS usage_rows`);
    await command(`INSERT INTO copy SELECT * FROM usage_rows`);
    await write(client, 'ada', 6);
    for (let i = 0; i < 6; i++) await client.recall({ q: `word${i}` });
    await settled(server.url, 60_000);
    const before = await client.month(month);

    await command('TRUNCATE TABLE usage_rows');
    await command(`INSERT INTO usage_rows SELECT * FROM copy`);
    expect(await named(server, 'usage')).toMatch(/usage lacks \d+ events that it held/);
    await whole(server);
    await settled(server.url, 60_000);
    expect(await client.month(month)).toEqual(before);
    await verified();
    await command('DROP TABLE copy');
    await server.stop();
  });
});
