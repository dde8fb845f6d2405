/**
 * The official images under testcontainers, for a machine where a Docker engine answers.
 * `TURNSTONE_KAFKA_IMAGE` and its like name others.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import type { EngineName } from './engine-urls.ts';
import type { Docker } from './find-engines.ts';

/** The same as infra/compose.yaml's; a test compares the two. */
export const IMAGES: Record<EngineName, string> = {
  kafka: 'apache/kafka:4.3.1',
  elasticsearch: 'docker.elastic.co/elasticsearch/elasticsearch:8.19.21',
  clickhouse: 'clickhouse/clickhouse-server:26.7',
  redis: 'redis:8.2',
};

/** An engine on the same machine answers in milliseconds; a `DOCKER_HOST` that is gone might never. */
const ANSWER_WITHIN_MS = 5_000;
/**
 * From the container's start; its image is pulled before. A machine that does much else has taken two
 * minutes.
 */
const READY_WITHIN_MS = 300_000;
/** Another process may take the port that was free. */
const KAFKA_ATTEMPTS = 3;

const image = (name: EngineName): string =>
  process.env[`TURNSTONE_${name.toUpperCase()}_IMAGE`] || IMAGES[name];

export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Undefined when no Docker engine answers. */
export const openDocker = async (): Promise<Docker | undefined> => {
  const { GenericContainer, getContainerRuntimeClient, Wait } = await import('testcontainers');
  let late: NodeJS.Timeout | undefined;
  const client = await Promise.race([
    getContainerRuntimeClient().catch(() => undefined),
    new Promise<undefined>(resolve => {
      late = setTimeout(() => resolve(undefined), ANSWER_WITHIN_MS);
    }),
  ]).finally(() => clearTimeout(late));
  if (!client) return undefined;
  const { host } = client.info.containerRuntime;

  const label = { name: 'turnstone.test-run', value: process.env.TURNSTONE_TEST_RUN || randomUUID() };
  const container = (name: EngineName) =>
    new GenericContainer(image(name))
      .withStartupTimeout(READY_WITHIN_MS)
      .withLabels({ [label.name]: label.value });

  /** Clients go on at the port that the broker tells them, so it is the same one inside and outside. */
  const startKafka = async (): Promise<string> => {
    const port = await freePort();
    await container('kafka')
      .withExposedPorts({ container: port, host: port })
      .withEnvironment({
        KAFKA_NODE_ID: '1',
        KAFKA_PROCESS_ROLES: 'broker,controller',
        KAFKA_LISTENERS: `PLAINTEXT://0.0.0.0:${port},CONTROLLER://:9093`,
        KAFKA_ADVERTISED_LISTENERS: `PLAINTEXT://${host}:${port}`,
        KAFKA_LISTENER_SECURITY_PROTOCOL_MAP: 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
        KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
        KAFKA_CONTROLLER_LISTENER_NAMES: 'CONTROLLER',
        KAFKA_CONTROLLER_QUORUM_VOTERS: '1@localhost:9093',
        KAFKA_OFFSETS_TOPIC_REPLICATION_FACTOR: '1',
        KAFKA_OFFSETS_TOPIC_NUM_PARTITIONS: '8',
        KAFKA_TRANSACTION_STATE_LOG_REPLICATION_FACTOR: '1',
        KAFKA_TRANSACTION_STATE_LOG_MIN_ISR: '1',
        KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS: '0',
        KAFKA_AUTO_CREATE_TOPICS_ENABLE: 'false',
        KAFKA_HEAP_OPTS: '-Xms512m -Xmx512m',
      })
      .withWaitStrategy(Wait.forLogMessage(/Kafka Server started/))
      .start();
    return `${host}:${port}`;
  };

  const start: Record<EngineName, () => Promise<string>> = {
    kafka: async () => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await startKafka();
        } catch (error) {
          if (
            attempt === KAFKA_ATTEMPTS ||
            !/port is already allocated|address already in use/i.test(`${error}`)
          )
            throw error;
        }
      }
    },
    elasticsearch: async () => {
      const started = await container('elasticsearch')
        .withExposedPorts(9200)
        .withEnvironment({
          'discovery.type': 'single-node',
          'xpack.security.enabled': 'false',
          'cluster.routing.allocation.disk.threshold_enabled': 'false',
          ES_JAVA_OPTS: '-Xms1g -Xmx1g',
        })
        .withWaitStrategy(Wait.forHttp('/_cluster/health?wait_for_status=yellow', 9200))
        .start();
      return `http://${host}:${started.getMappedPort(9200)}`;
    },
    clickhouse: async () => {
      const started = await container('clickhouse')
        .withExposedPorts(8123)
        .withEnvironment({ CLICKHOUSE_USER: 'turnstone', CLICKHOUSE_PASSWORD: 'turnstone' })
        .withWaitStrategy(Wait.forHttp('/ping', 8123))
        .start();
      return `http://turnstone:turnstone@${host}:${started.getMappedPort(8123)}`;
    },
    redis: async () => {
      const started = await container('redis')
        .withExposedPorts(6379)
        .withCommand(['redis-server', '--appendonly', 'yes', '--save', ''])
        .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
        .start();
      return `redis://${host}:${started.getMappedPort(6379)}`;
    },
  };

  // One that did not come up is left behind by testcontainers itself.
  const close = async (): Promise<void> => {
    const { dockerode } = client.container;
    const filters = { label: [`${label.name}=${label.value}`] };
    const made = await dockerode.listContainers({ all: true, filters });
    await Promise.all(made.map(({ Id }) => dockerode.getContainer(Id).remove({ force: true, v: true })));
  };
  return { start: name => start[name](), close };
};
