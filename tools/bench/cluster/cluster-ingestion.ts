/** Measures acknowledged ingestion of one API process, without a projector, and of the floor around it. */
import { connectKafka } from '../../../infra/cluster/kafka/client/kafka-client.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { type Ingested, ingest, newSessions, TURNS_OF_A_REQUEST } from '../load/load-ingestion.ts';
import { startFloor } from '../load/service.ts';
import { type Installation, tokenOf } from './installation.ts';

/** Users of all organizations together, as in the embedded measurement. */
const USERS = 100;
/** Maximum turns of an organization: at 50,000 that no index shows yet its writes are refused. */
const MOST_TURNS_OF_AN_ORGANIZATION = 45_000;

export interface ClusterIngestion {
  /** Measured before and after the service, since the machine's speed varies. */
  floors: Ingested[];
  service: Ingested;
}

export const withTopic = async <T>(
  config: ClusterConfig,
  name: string,
  work: (topic: string) => Promise<T>,
): Promise<T> => {
  const topic = `${config.namespace}.${name}`;
  const admin = connectKafka(config).admin();
  await admin.connect();
  try {
    await admin.createTopics({
      waitForLeaders: true,
      topics: [{ topic, numPartitions: config.partitions, replicationFactor: config.replication }],
    });
    return await work(topic);
  } finally {
    await admin.deleteTopics({ topics: [topic] }).catch(() => {});
    await admin.disconnect();
  }
};

export const measureClusterIngestion = (
  { cluster, config, organizations, conversation, say, profile }: Installation,
  seconds: number,
): Promise<ClusterIngestion> =>
  withTopic(config, 'bench-floor', async topic => {
    const floor = async (): Promise<Ingested> => {
      say('the floor of ingestion');
      const started = await startFloor(new URL('./floor.ts', import.meta.url), {
        BENCH_KAFKA_BROKERS: config.kafkaBrokers.join(),
        BENCH_TOPIC: topic,
      });
      try {
        return await ingest(started, newSessions(conversation, ''), Math.ceil(seconds / 2));
      } finally {
        await started.stop();
      }
    };

    const service = async (): Promise<Ingested> => {
      say(`ingesting for ${seconds} s`);
      const api = await cluster.start('api', { profile });
      try {
        const tokens = await Promise.all([...organizations.values()].map(key => tokenOf(api.url, key)));
        const streams = tokens.map(token =>
          newSessions(conversation, token, { users: Math.ceil(USERS / tokens.length) }),
        );
        let turns = 0;
        const next = (connection: number): string => {
          turns += TURNS_OF_A_REQUEST;
          return streams[connection % streams.length]!(connection);
        };
        const isFull = (): boolean => turns >= MOST_TURNS_OF_AN_ORGANIZATION * streams.length;
        return await ingest({ url: api.url, pid: api.child.pid! }, next, seconds, isFull);
      } finally {
        await api.stop();
      }
    };

    const before = await floor();
    const measured = await service();
    return { floors: [before, await floor()], service: measured };
  });
