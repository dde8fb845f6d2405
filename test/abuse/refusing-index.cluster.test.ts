/**
 * Elasticsearch refuses writes for reasons that are no document's fault: an operator closed the index, a
 * shard is full. Not one event may become a dead letter of it, and all are projected when the index takes
 * writes again.
 */
import { createServer, type Server as HttpServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { recallIndexOf } from '../../infra/cluster/elasticsearch/index/index.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../support/engines/engine-urls.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { type Client, metric, send } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import type { Server } from '../support/processes/server.ts';
import { until } from '../support/wait.ts';

const { urls } = inject('engines');

/** The answer of a shard with as many documents as Lucene can number; to write so many takes days. */
const FULL = {
  status: 400,
  error: {
    type: 'illegal_argument_exception',
    reason: "Number of documents in the index can't exceed [2147483519]",
  },
};

/** Passes everything to Elasticsearch, but answers bulk requests itself while it is full. */
const startProxy = async (target: string) => {
  let isFull = false;
  const server: HttpServer = createServer((incoming, outgoing) => {
    void (async () => {
      if (isFull && incoming.url!.includes('_bulk')) {
        const lines = (await text(incoming)).trim().split('\n').length;
        const items = Array.from({ length: lines / 2 }, () => ({ index: FULL }));
        outgoing.writeHead(200, {
          'content-type': 'application/vnd.elasticsearch+json;compatible-with=8',
          'x-elastic-product': 'Elasticsearch',
        });
        outgoing.end(JSON.stringify({ errors: true, items }));
        return;
      }
      const { method, headers } = incoming;
      const passed = request(new URL(incoming.url!, target), { method, headers }, answer => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
    })();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fill: (full: boolean): void => {
      isFull = full;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
};

describeOnEngines('an index that refuses writes', () => {
  let cluster: Cluster;
  let config: ClusterConfig;
  let elasticsearch: Elasticsearch;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let server: Server;
  let client: Client;
  let written = 0;

  beforeAll(async () => {
    cluster = await makeCluster(Object.fromEntries(ENGINES.map(name => [URL_VARIABLES[name], urls[name]!])));
    const read = readConfig(cluster.environment);
    if (!read.ok) throw new Error(read.faults.join('\n'));
    config = read.config.cluster!;
    elasticsearch = connectElasticsearch(config);
    proxy = await startProxy(urls.elasticsearch!);
    server = await cluster.start('all', { environment: { TURNSTONE_ELASTICSEARCH_URL: proxy.url } });
    client = await cluster.client(server);
  });
  afterAll(async () => {
    await server?.stop();
    await cluster?.close();
    await elasticsearch?.close();
    proxy?.close();
    if (config) await dropNamespace(config);
  });

  const write = async (turns: number): Promise<void> => {
    for (let i = 0; i < turns; i++)
      await client.ingest({
        turns: [{ role: 'user', text: `Lantern ${++written} is lit.`, timestamp: new Date().toISOString() }],
      });
  };
  const lag = (): Promise<number> => metric(server.url, 'turnstone_projector_lag_events');
  const projectorSays = async (): Promise<string> => {
    type Ready = { engines: Record<string, { detail: string }> };
    return (await send<Ready>(`${server.url}/readyz`, 'GET')).body.engines.projector!.detail;
  };
  const untilNamed = async (reason: RegExp): Promise<void> => {
    await until('it is held', async () => reason.test(await projectorSays()));
    expect(await metric(server.url, 'turnstone_dead_letters')).toBe(0);
    expect(await lag()).toBeGreaterThan(0);
  };
  const allProjected = async (): Promise<void> => {
    await until('all is projected', async () => (await lag()) === 0, 40_000);
    expect(await metric(server.url, 'turnstone_dead_letters')).toBe(0);
    const { hits } = await client.recall({ q: 'Which lantern is lit?', kinds: ['turn'], top_k: 50 });
    expect(hits.turns).toHaveLength(written);
  };

  it('is full: the turns are held, the reason is named, and they come when there is room', async () => {
    await write(1);
    await until('the first is projected', async () => (await lag()) === 0);
    proxy.fill(true);
    await write(3);
    await untilNamed(/shard is full.*TURNSTONE_SHARDS/);
    proxy.fill(false);
    await allProjected();
  });

  it('is closed: the same', async () => {
    const index = recallIndexOf(config, 1);
    await elasticsearch.ask('POST', `/${index}/_close`);
    await write(3);
    await untilNamed(/the index is closed/);
    await elasticsearch.ask('POST', `/${index}/_open`);
    await allProjected();
  });
});
