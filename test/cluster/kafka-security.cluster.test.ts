/** Kafka's own TLS and SASL, with certificates made here: the log through each, and who is kept out. */
import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { readConfig } from '../../core/config.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import type { ClusterConfig } from '../../schemas/config.ts';
import { record } from '../contracts/event-log.contract.ts';
import { type Certificates, makeCertificates } from '../support/engines/certificates.ts';
import { dropNamespace } from '../support/engines/drop-namespace.ts';
import { ENGINES, URL_VARIABLES } from '../support/engines/engine-urls.ts';
import { describeOnEngines } from '../support/engines/engines.ts';
import { kafkaLibs, type OwnKafka, PASSWORD, startOwnKafka, USER } from '../support/engines/own-kafka.ts';
import { metric } from '../support/http/client.ts';
import { type Cluster, makeCluster } from '../support/processes/cluster.ts';
import { temporaryFolder } from '../support/processes/server.ts';
import { until, untilDefined } from '../support/wait.ts';

const { urls } = inject('engines');

if (process.env.CI && !kafkaLibs) throw new Error('no jars of Kafka: set TURNSTONE_TEST_KAFKA_LIBS');

/** An OAuth endpoint that grants tokens which nobody signed, for client credentials. */
const startTokenEndpoint = async (seconds: number) => {
  const asked: { authorization: string | undefined; body: string }[] = [];
  const server: Server = createServer(async (request, response) => {
    asked.push({ authorization: request.headers.authorization, body: await text(request) });
    const now = Math.floor(Date.now() / 1_000);
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const token = `${part({ alg: 'none' })}.${part({ sub: USER, iat: now, exp: now + seconds })}.`;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ access_token: token, token_type: 'Bearer', expires_in: seconds }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/token`, asked, close: () => server.close() };
};

describe.skipIf(!kafkaLibs)("Kafka's own security", () => {
  let certificates: Certificates;
  let kafka: OwnKafka;
  let namespaces = 0;
  beforeAll(async () => {
    certificates = makeCertificates();
    kafka = await startOwnKafka(certificates);
  });
  afterAll(() => kafka?.close());

  /** As an operator configures it. */
  const configOf = (broker: string, more: Record<string, string>): ClusterConfig => {
    const read = readConfig({
      TURNSTONE_MODE: 'cluster',
      TURNSTONE_KAFKA_BROKERS: broker,
      TURNSTONE_ELASTICSEARCH_URL: 'http://unused',
      TURNSTONE_CLICKHOUSE_URL: 'http://unused',
      TURNSTONE_REDIS_URL: 'redis://unused',
      TURNSTONE_INSTALLATION_KEY: import.meta.filename,
      TURNSTONE_SIGNING_KEYS: import.meta.filename,
      TURNSTONE_NAMESPACE: `secure-${++namespaces}`,
      TURNSTONE_PARTITIONS: '2',
      TURNSTONE_REPLICATION: '1',
      ...more,
    });
    if (!read.ok) throw new Error(read.faults.join('\n'));
    return read.config.cluster!;
  };
  const tls = () => ({ TURNSTONE_KAFKA_TLS: 'yes', TURNSTONE_KAFKA_CA: certificates.ca });

  /** Every kind of connection of the log: admin, producer, reader and consumer. */
  const passes = async (config: ClusterConfig): Promise<void> => {
    await migrateTopics(config);
    const log = await openKafkaLog(config);
    try {
      const [address] = await log.append([record('acme', 'sealed')]);
      expect(await log.read('turns', address!.partition, 0, 9)).toHaveLength(1);
      expect(await log.faults()).toEqual([]);
      let received: number | undefined;
      await log.consume({
        group: 'test',
        topics: ['turns'],
        onTrouble: () => {},
        handle: async records => {
          received = records.length;
        },
      });
      expect(await untilDefined('a consumer got it', () => received)).toBe(1);
    } finally {
      await log.close();
    }
  };
  const refused = async (config: ClusterConfig): Promise<string> => {
    const outcome = await openKafkaLog(config).then(
      () => 'opened',
      (error: Error) => error.message,
    );
    expect(outcome).not.toBe('opened');
    return outcome;
  };

  it('TLS with its own authority', () => passes(configOf(kafka.tls, tls())));

  it("TLS with a client's certificate", () =>
    passes(
      configOf(kafka.mutual, {
        ...tls(),
        TURNSTONE_KAFKA_CERT: certificates.clientCert,
        TURNSTONE_KAFKA_KEY: certificates.clientKey,
      }),
    ));

  it.each(['plain', 'scram-sha-256', 'scram-sha-512'])('the broker accepts a client by SASL %s', mechanism =>
    passes(
      configOf(kafka.sasl, {
        ...tls(),
        TURNSTONE_KAFKA_SASL: mechanism,
        TURNSTONE_KAFKA_USER: USER,
        TURNSTONE_KAFKA_PASSWORD: PASSWORD,
      }),
    ),
  );

  it('SASL oauthbearer, with one token for all connections', async () => {
    const endpoint = await startTokenEndpoint(3_600);
    try {
      await passes(
        configOf(kafka.sasl, {
          ...tls(),
          TURNSTONE_KAFKA_SASL: 'oauthbearer',
          TURNSTONE_KAFKA_USER: 'client id',
          TURNSTONE_KAFKA_PASSWORD: 'se:cret',
          TURNSTONE_KAFKA_TOKEN_URL: endpoint.url,
          TURNSTONE_KAFKA_TOKEN_SCOPE: 'kafka',
        }),
      );
      expect(endpoint.asked).toEqual([
        {
          authorization: `Basic ${Buffer.from('client+id:se%3Acret').toString('base64')}`,
          body: 'grant_type=client_credentials&scope=kafka',
        },
      ]);
    } finally {
      endpoint.close();
    }
  });

  it('keeps out who trusts another authority, and says so', async () => {
    const config = configOf(kafka.tls, { ...tls(), TURNSTONE_KAFKA_CA: certificates.stranger });
    expect(await refused(config)).toMatch(
      /the log is unreachable \(((SELF_SIGNED|UNABLE_TO)\w+|its certificate is not accepted)\)/,
    );
  }, 30_000);

  it('keeps out who has no certificate, no TLS or no password', async () => {
    const configs = [configOf(kafka.mutual, tls()), configOf(kafka.tls, {}), configOf(kafka.sasl, tls())];
    await Promise.all(configs.map(refused));
  });

  it('keeps out a wrong password, at once, and does not repeat it', async () => {
    const config = configOf(kafka.sasl, {
      ...tls(),
      TURNSTONE_KAFKA_SASL: 'scram-sha-512',
      TURNSTONE_KAFKA_USER: USER,
      TURNSTONE_KAFKA_PASSWORD: 'hunter2',
    });
    const message = await refused(config);
    expect(message).toContain('TURNSTONE_KAFKA_SASL or its credentials are not accepted');
    expect(message).not.toContain('hunter2');
  });

  describeOnEngines('the service', () => {
    let cluster: Cluster;
    afterAll(async () => {
      await cluster?.close();
      if (cluster) await dropNamespace(configOf(kafka.plain, engineVariables(cluster.namespace)));
    });
    const engineVariables = (namespace: string): Record<string, string> => ({
      ...Object.fromEntries(ENGINES.map(name => [URL_VARIABLES[name], urls[name]!])),
      TURNSTONE_KAFKA_BROKERS: kafka.plain,
      TURNSTONE_NAMESPACE: namespace,
    });

    it('runs on it, with the password in a file', async () => {
      const file = join(temporaryFolder(), 'password');
      writeFileSync(file, `${PASSWORD}\n`);
      cluster = await makeCluster(engineVariables(''), {
        ...tls(),
        TURNSTONE_KAFKA_BROKERS: kafka.sasl,
        TURNSTONE_KAFKA_SASL: 'scram-sha-256',
        TURNSTONE_KAFKA_USER: USER,
        TURNSTONE_KAFKA_PASSWORD_FILE: file,
      });
      const server = await cluster.start('all');
      const client = await cluster.client(server);
      const [text, timestamp] = ['The samovar is brass.', new Date().toISOString()];
      await client.ingest({ turns: [{ role: 'user', text, timestamp }] });
      await until(
        'it is projected',
        async () => (await metric(server.url, 'turnstone_projector_lag_events')) === 0,
      );
      expect((await client.recall({ q: 'What is brass?', kinds: ['turn'] })).hits.turns).toHaveLength(1);
      await server.stop();
    });
  });
});
