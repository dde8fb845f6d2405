import type { EachBatchPayload } from 'kafkajs';
import type { Incoming } from '../records.ts';
import { connectKafka, type KafkaConnection } from './kafka-client.ts';

/** Records of one partition that a member has fetched. */
export interface FetchedBatch {
  /** The topic's name in Kafka. */
  topic: string;
  partition: number;
  messages: Incoming[];
  /** Returns whether the member still consumes from where this batch was fetched. */
  isCurrent(): boolean;
  /** Resolves to false if the group is rebalancing or has excluded this member. */
  heartbeat(): Promise<boolean>;
  /** Commits the position after this offset. */
  commit(offset: number): Promise<void>;
  /** Continues after this offset: the records up to it are not fetched again. */
  resolve(offset: number): Promise<void>;
  /** Pauses the partition; its unresolved records are fetched again afterwards. */
  pause(milliseconds: number): void;
}

export interface MemberOptions {
  clientId: string;
  /** The group's name in Kafka, and its topics'. */
  group: string;
  topics: string[];
  /** Milliseconds until a silent member's partitions are reassigned; brokers require 6,000 or more. */
  sessionTimeout: number;
  /** Milliseconds that members get to finish their work in a rebalance. */
  rebalanceTimeout: number;
  /** Milliseconds. */
  heartbeatInterval: number;
  /** The most bytes fetched from each broker, and of each partition, unless a single batch is larger. */
  fetchedBytes: number;
  partitionBytes: number;
  /** The number of partitions handled at the same time. */
  atATime: number;
  /** Called with this member's partitions, by topic, after each rebalance. */
  onJoin(assignment: Record<string, readonly number[]>): void;
  onFetch(): void;
  onCrash(error: Error): void;
  onBatch(batch: FetchedBatch): Promise<void>;
}

export interface Member {
  /** Connects and begins to fetch. */
  start(): Promise<void>;
  /** Sets the offset to fetch next from a partition of this member. */
  seek(topic: string, partition: number, offset: number): void;
  leave(): Promise<void>;
}

/** Heartbeat errors during a rebalance, or after a rebalance that excluded this member. */
const REBALANCED = new Set([
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
]);

/**
 * Makes a member of a group, which commits nothing by itself. Once crashed it is of no further use. Every
 * member has its own client: members of one client share their committed offsets.
 */
export const makeMember = (connection: KafkaConnection, options: MemberOptions): Member => {
  const consumer = connectKafka(connection, options.clientId).consumer({
    groupId: options.group,
    sessionTimeout: options.sessionTimeout,
    rebalanceTimeout: options.rebalanceTimeout,
    heartbeatInterval: options.heartbeatInterval,
    maxWaitTimeInMs: 250,
    maxBytes: options.fetchedBytes,
    maxBytesPerPartition: options.partitionBytes,
    allowAutoTopicCreation: false,
    retry: { retries: 3, restartOnFailure: async () => false },
  });
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => options.onJoin(payload.memberAssignment));
  consumer.on(consumer.events.FETCH, () => options.onFetch());
  consumer.on(consumer.events.CRASH, ({ payload }) => options.onCrash(payload.error));
  return {
    start: async () => {
      await consumer.connect();
      await consumer.subscribe({ topics: options.topics, fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: options.atATime,
        eachBatch: payload => options.onBatch(fetchedBatch(payload)),
      });
    },
    seek: (topic, partition, offset) => consumer.seek({ topic, partition, offset: String(offset) }),
    leave: () => consumer.disconnect(),
  };
};

const fetchedBatch = (payload: EachBatchPayload): FetchedBatch => {
  const { topic, partition, messages } = payload.batch;
  return {
    topic,
    partition,
    messages,
    isCurrent: () => payload.isRunning() && !payload.isStale(),
    heartbeat: () =>
      payload.heartbeat().then(
        () => true,
        error => !REBALANCED.has(error?.type),
      ),
    commit: offset =>
      payload.commitOffsetsIfNecessary({
        topics: [{ topic, partitions: [{ partition, offset: String(offset + 1) }] }],
      }),
    resolve: async offset => {
      payload.resolveOffset(String(offset));
      await payload.heartbeat();
    },
    pause: milliseconds => {
      const resume = payload.pause();
      setTimeout(resume, milliseconds).unref();
    },
  };
};
