import type { Cluster, PartitionAssigner } from 'kafkajs';
import { partitionName } from '../../../../core/log/positions.ts';
import { type Incoming, MAX_BATCH_BYTES, offsetOf } from '../records.ts';
import { connectKafka, type KafkaConnection } from './kafka-client.ts';

/** The most bytes of a fetch, unless a single batch is larger. */
const FETCH_BYTES = 2 * 1024 * 1024;

export interface Fetched {
  /** The offset after the last record that readers are allowed to see. */
  end: number;
  messages: Incoming[];
}

/** Fetches records of topics, named as in Kafka, without a group. */
export interface Fetcher {
  /** Resolves to undefined if the partition doesn't have this offset. */
  fetch(topic: string, partition: number, from: number): Promise<Fetched | undefined>;
  /** Resolves to the first offset of the partition. */
  begin(topic: string, partition: number): Promise<number>;
  /** Resolves to the offset after the last record of each partition, by its name (positions.ts). */
  ends(partitions: number): Promise<Map<string, number>>;
  close(): Promise<void>;
}

/** The response's type, which kafkajs lacks. */
interface FetchResponse {
  responses: {
    partitions: { highWatermark: string; messages: (Incoming & { isControlRecord?: boolean })[] }[];
  }[];
}

/**
 * Connects to the leaders of these topics. A kafkajs consumer must join a group and is assigned whole
 * partitions, so this sends fetch requests itself: kafkajs passes its connections to a partition assigner,
 * and this one assigns nothing.
 */
export const openFetcher = async (
  connection: KafkaConnection,
  clientId: string,
  topics: readonly string[],
): Promise<Fetcher> => {
  const cluster = clusterOf(connection, clientId);
  await cluster.connect();
  await cluster.addMultipleTargetTopics([...topics]);
  return {
    fetch: async (topic, partition, from) => {
      const leader = Object.entries(cluster.findLeaderForPartitions(topic, [partition]))[0]?.[0];
      if (leader === undefined) throw new Error('the partition has no leader');
      const broker = await cluster.findBroker({ nodeId: leader });
      const request = { partition, fetchOffset: String(from), maxBytes: FETCH_BYTES };
      const response: FetchResponse | undefined = await broker
        .fetch({
          maxWaitTime: 0,
          minBytes: 0,
          maxBytes: MAX_BATCH_BYTES,
          isolationLevel: 0,
          topics: [{ topic, partitions: [request] }],
        })
        .catch(error => {
          if (error?.type !== 'OFFSET_OUT_OF_RANGE') throw error;
        });
      if (!response) return undefined;
      const found = response.responses[0]?.partitions[0];
      if (!found) throw new Error('the broker did not report the partition');
      return {
        end: offsetOf(found.highWatermark),
        // A batch is returned whole, including offsets before the requested one.
        messages: found.messages.filter(
          ({ offset, isControlRecord }) => !isControlRecord && offsetOf(offset) >= from,
        ),
      };
    },
    begin: async (topic, partition) => {
      const [found] = await cluster.fetchTopicsOffset([
        { topic, partitions: [{ partition }], fromBeginning: true },
      ]);
      return offsetOf(found?.partitions[0]?.offset ?? '0');
    },
    ends: async count => {
      const partitions = Array.from({ length: count }, (_, partition) => ({ partition }));
      const found = await cluster.fetchTopicsOffset(
        topics.map(topic => ({ topic, partitions, fromBeginning: false })),
      );
      return new Map(
        found.flatMap(({ topic, partitions }) =>
          partitions.map(
            ({ partition, offset }) => [partitionName({ topic, partition }), offsetOf(offset)] as const,
          ),
        ),
      );
    },
    close: () => cluster.disconnect(),
  };
};

const clusterOf = (connection: KafkaConnection, clientId: string): Cluster => {
  let found: Cluster | undefined;
  const assigner: PartitionAssigner = ({ cluster }) => {
    found = cluster;
    return {
      name: 'none',
      version: 0,
      assign: async () => [],
      protocol: () => ({ name: 'none', metadata: Buffer.of() }),
    };
  };
  connectKafka(connection, clientId).consumer({
    groupId: 'none',
    partitionAssigners: [assigner],
    allowAutoTopicCreation: false,
  });
  return found!;
};
