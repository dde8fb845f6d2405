import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import {
  cancelledBy,
  connectElasticsearch,
  type Elasticsearch,
} from '../../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/**
 * An engine that never answers; when it was asked, how often, and when that request was given up. The client
 * itself waits for 30 s.
 */
const silent = async (): Promise<{
  elasticsearch: Elasticsearch;
  asked: Promise<unknown>;
  requests(): number;
  gone: Promise<unknown>;
}> => {
  let requests = 0;
  const server = createServer(() => {
    requests++;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const asked = once(server, 'request');
  const gone = asked.then(([, response]) => once(response, 'close'));
  const elasticsearch = connectElasticsearch({ elasticsearchUrl: `http://127.0.0.1:${port}` });
  ends.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  ends.push(() => elasticsearch.close());
  return { elasticsearch, asked, gone, requests: () => requests };
};

it('closes the connection of a search that is cancelled, and throws the reason', async () => {
  const { elasticsearch, asked, gone } = await silent();
  const cancelled = new AbortController();
  const reason = new Error('the client has gone');
  const search = cancelledBy(elasticsearch, cancelled.signal).ask('POST', '/index/_search', { body: {} });
  await asked;
  cancelled.abort(reason);
  await expect(search).rejects.toBe(reason);
  await gone;
});

it('sends nothing that was cancelled before', async () => {
  const { elasticsearch, requests } = await silent();
  const reason = new Error('the client has gone');
  const search = cancelledBy(elasticsearch, AbortSignal.abort(reason)).ask('POST', '/index/_search');
  await expect(search).rejects.toBe(reason);
  expect(requests()).toBe(0);
});
