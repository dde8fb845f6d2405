/**
 * Elasticsearch and ClickHouse over TLS, with credentials. The engines that tests run on have neither, so a
 * recording server stands for both: it proves what is sent and to whom, and nothing of what the engines make
 * of it.
 */
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../../../core/config.ts';
import { connectClickhouse } from '../../../../infra/cluster/clickhouse/clickhouse-client.ts';
import { connectElasticsearch } from '../../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import type { ClusterConfig } from '../../../../schemas/config.ts';
import { type Certificates, makeCertificates } from '../../../support/engines/certificates.ts';
import { freePorts } from '../../../support/engines/child-engine.ts';

let certificates: Certificates;
let server: Server;
let url: string;
let recorded: { url: string; headers: IncomingHttpHeaders }[] = [];

beforeAll(async () => {
  certificates = makeCertificates();
  const [cert, key] = [readFileSync(certificates.serverCert), readFileSync(certificates.serverKey)];
  server = createServer({ cert, key }, (request, response) => {
    recorded.push({ url: request.url!, headers: request.headers });
    request.resume();
    const isSearch = request.headers['user-agent']?.includes('elastic');
    response.setHeader('x-elastic-product', 'Elasticsearch');
    response.setHeader('content-type', 'application/json');
    response.end(isSearch ? '{"found":true}' : '{"one":1}\n');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  recorded = [];
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
});

const configOf = (changes: Record<string, string>): ClusterConfig => {
  const read = readConfig({
    TURNSTONE_MODE: 'cluster',
    TURNSTONE_KAFKA_BROKERS: 'unused:1',
    TURNSTONE_ELASTICSEARCH_URL: url,
    TURNSTONE_CLICKHOUSE_URL: url,
    TURNSTONE_REDIS_URL: 'redis://unused',
    TURNSTONE_INSTALLATION_KEY: import.meta.filename,
    TURNSTONE_SIGNING_KEYS: import.meta.filename,
    ...changes,
  });
  if (!read.ok) throw new Error(read.faults.join('\n'));
  return read.config.cluster!;
};

const search = async (config: ClusterConfig): Promise<unknown> => {
  const client = connectElasticsearch(config);
  try {
    return await client.ask('GET', '/thing');
  } finally {
    await client.close();
  }
};
const select = async (config: ClusterConfig): Promise<unknown> => {
  const client = connectClickhouse(config, { timeoutMs: 2_000 });
  try {
    return await client.rows('SELECT 1 AS one');
  } finally {
    await client.close();
  }
};
const basic = (pair: string): string => `Basic ${Buffer.from(pair).toString('base64')}`;

describe('Elasticsearch', () => {
  it('is asked over TLS, with its own authority and an API key', async () => {
    const config = configOf({
      TURNSTONE_ELASTICSEARCH_CA: certificates.ca,
      TURNSTONE_ELASTICSEARCH_API_KEY: 'aWQ6a2V5',
    });
    expect(await search(config)).toEqual({ found: true });
    expect(recorded).toMatchObject([{ url: '/thing', headers: { authorization: 'ApiKey aWQ6a2V5' } }]);
  });

  it('is asked with a user and a password, from variables or from the URL', async () => {
    const TURNSTONE_ELASTICSEARCH_CA = certificates.ca;
    const credentials = {
      TURNSTONE_ELASTICSEARCH_USER: 'elastic',
      TURNSTONE_ELASTICSEARCH_PASSWORD: 'p@:w/',
    };
    await search(configOf({ TURNSTONE_ELASTICSEARCH_CA, ...credentials }));
    const inUrl = url.replace('//', `//elastic:${encodeURIComponent('p@:w/')}@`);
    await search(configOf({ TURNSTONE_ELASTICSEARCH_CA, TURNSTONE_ELASTICSEARCH_URL: inUrl }));
    const authorization = basic('elastic:p@:w/');
    expect(recorded).toMatchObject([{ headers: { authorization } }, { headers: { authorization } }]);
  });

  it('answers as long as one of its nodes does', async () => {
    const [nobody, nobodyElse] = await freePorts(2);
    const TURNSTONE_ELASTICSEARCH_URL = `https://127.0.0.1:${nobody}, https://127.0.0.1:${nobodyElse}, ${url}`;
    const config = configOf({ TURNSTONE_ELASTICSEARCH_CA: certificates.ca, TURNSTONE_ELASTICSEARCH_URL });
    expect(await search(config)).toEqual({ found: true });
  });

  it.each(['system', 'another'])(
    'is not asked when the %s authority did not sign its certificate',
    async which => {
      const changes: Record<string, string> =
        which === 'system' ? {} : { TURNSTONE_ELASTICSEARCH_CA: certificates.stranger };
      const config = configOf({ ...changes, TURNSTONE_ELASTICSEARCH_API_KEY: 'aWQ6a2V5' });
      await expect(search(config)).rejects.toMatchObject({
        code: 'unavailable',
        message: "Elasticsearch can't be reached right now (its certificate is not accepted)",
      });
      expect(recorded).toEqual([]);
    },
  );
});

describe('ClickHouse', () => {
  it('is asked over TLS, with its own authority, a user and a password', async () => {
    const config = configOf({
      TURNSTONE_CLICKHOUSE_CA: certificates.ca,
      TURNSTONE_CLICKHOUSE_USER: 'turnstone',
      TURNSTONE_CLICKHOUSE_PASSWORD: 'p@:w/',
    });
    expect(await select(config)).toEqual([{ one: 1 }]);
    expect(recorded).toMatchObject([
      { headers: { 'x-clickhouse-user': 'turnstone', 'x-clickhouse-key': 'p@:w/' } },
    ]);
    expect(recorded[0]!.url).not.toContain('p%40');
  });

  it.each(['system', 'another'])(
    'is not asked when the %s authority did not sign its certificate',
    async which => {
      const changes: Record<string, string> =
        which === 'system' ? {} : { TURNSTONE_CLICKHOUSE_CA: certificates.stranger };
      const config = configOf({ ...changes, TURNSTONE_CLICKHOUSE_PASSWORD: 'secret' });
      const error: Error = await select(config).then(
        () => expect.unreachable(),
        thrown => thrown,
      );
      expect(error).toMatchObject({ code: 'unavailable' });
      expect(error.message).toMatch(/ClickHouse is unreachable \((UNABLE_TO|SELF_SIGNED|DEPTH_ZERO)\w+\)/);
      expect(recorded).toEqual([]);
    },
  );
});
