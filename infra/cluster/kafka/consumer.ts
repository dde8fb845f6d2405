import { setTimeout as sleep } from 'node:timers/promises';
import type { EachBatchPayload, Consumer as KafkaConsumer, KafkaMessage } from 'kafkajs';
import { MOST_GROWTH } from '../../../core/log/body.ts';
import { eventsIn } from '../../../core/log/events.ts';
import { parsePartition } from '../../../core/log/positions.ts';
import { type PageLimit, pagesOf } from '../../../core/log/read.ts';
import { PAGE_BYTES } from '../../../core/ports/log/event-log.ts';
import type { Consumer, LogRecord, NotHandled, SharedLog } from '../../../core/ports.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { connectKafka, type KafkaPlace } from './client/client.ts';
import { groupName, logRecord, topicName, topicOf } from './records.ts';

export interface ConsumerOptions {
  clientId: string;
  /** Milliseconds until a silent member's partitions are reassigned; brokers require 6,000 or more. */
  sessionTimeout?: number;
  /** Milliseconds that members get to finish their work in a rebalance. */
  rebalanceTimeout?: number;
  /** Records per call of `handle`. */
  batchRecords?: number;
}

type ConsumerConfig = KafkaPlace & Pick<ClusterConfig, 'namespace' | 'partitions'>;
type ConsumeOptions = Parameters<SharedLog['consume']>[0];

/**
 * The most bytes fetched from each broker, unless a single batch is larger (8 MiB at most): a broker always
 * returns the first one whole. A member handles its partitions at the same time, and the next fetch waits for
 * them, so this bounds the data projected and written at a time to 8 MiB once decoded.
 */
const FETCHED_BYTES = (8 * 1024 * 1024) / MOST_GROWTH;
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** Milliseconds without a fetch or a call after which a consumer is replaced. */
const SILENCE = 60_000;
/** Heartbeat errors during a rebalance, or after a rebalance that excluded this member. */
const REBALANCED = new Set([
  'REBALANCE_IN_PROGRESS',
  'NOT_COORDINATOR_FOR_GROUP',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
]);

/**
 * Joins a group as a member. A crashed kafkajs consumer is always replaced by a new one: its own restart
 * covers only some causes and keeps its stale cluster metadata.
 */
export const consumeLog = async (
  config: ConsumerConfig,
  options: ConsumeOptions,
  { clientId, sessionTimeout = 7_000, rebalanceTimeout = 60_000, batchRecords = 500 }: ConsumerOptions,
): Promise<Consumer> => {
  const { group, topics, atOnce, onTrouble } = options;
  let consumer: KafkaConsumer | undefined;
  let starting = Promise.resolve();
  const closing = new AbortController();
  const batches = makeBatches(config, options, {
    limits: [
      { most: batchRecords, of: () => 1 },
      { most: PAGE_BYTES, of: ({ value }) => value?.length ?? 0 },
      {
        most: atOnce ?? Number.POSITIVE_INFINITY,
        of: ({ value }) => (atOnce && value ? eventsIn(value) : 1),
      },
    ],
    heartbeatEvery: sessionTimeout / 6,
    closing: closing.signal,
  });
  /** The number of rebalances. */
  let generation = 0;
  /** This member's partitions, by topic. */
  let assignment: Record<string, readonly number[]> = {};
  /** The time of the consumer's last fetch or join. */
  let sign = 0;

  const start = async (): Promise<void> => {
    // Every consumer has its own client: members of one client share their committed offsets.
    const made = connectKafka(config, clientId).consumer({
      groupId: groupName(config, group),
      sessionTimeout,
      rebalanceTimeout,
      heartbeatInterval: Math.floor(sessionTimeout / 6),
      maxWaitTimeInMs: 250,
      maxBytes: FETCHED_BYTES,
      maxBytesPerPartition: PAGE_BYTES,
      allowAutoTopicCreation: false,
      retry: { retries: 3, restartOnFailure: async () => false },
    });
    made.on(made.events.GROUP_JOIN, ({ payload }) => {
      generation++;
      assignment = payload.memberAssignment;
      pause = FIRST_PAUSE;
      sign = performance.now();
    });
    made.on(made.events.FETCH, () => {
      sign = performance.now();
    });
    made.on(made.events.CRASH, ({ payload }) => {
      onTrouble(payload.error);
      if (consumer === made) restart(made);
    });
    consumer = made;
    sign = performance.now();
    try {
      await made.connect();
      await made.subscribe({ topics: topics.map(topic => topicName(config, topic)), fromBeginning: true });
      await made.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: topics.length * config.partitions,
        eachBatch: payload => {
          const assigned = generation;
          return batches.handle(payload, {
            isMine: () => made === consumer && assigned === generation,
            seek: offset => seek(made, payload.batch, offset),
          });
        },
      });
    } catch (error) {
      onTrouble(error);
      restart(made);
    }
  };

  let pause = FIRST_PAUSE;
  const restart = (crashed: KafkaConsumer): void => {
    if (consumer !== crashed) return;
    consumer = undefined;
    starting = (async () => {
      await Promise.race([crashed.disconnect().catch(() => {}), sleep(5_000, undefined, { ref: false })]);
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      if (!closing.signal.aborted) await start();
    })();
  };

  // Some of the client's waits never end if a broker neither answers nor disconnects.
  const watch = setInterval(() => {
    if (!consumer || batches.areUnderWay() || performance.now() - sign < SILENCE) return;
    onTrouble(new Error('a consumer of the log fell silent'));
    restart(consumer);
  }, 5_000);
  watch.unref();

  await start();
  return {
    rewind: positions => {
      for (const [name, offset] of Object.entries(positions)) {
        const { topic, partition } = parsePartition(name);
        const ours = { topic: topicName(config, topic), partition };
        // For another member's partition, the client would keep the offset until the partition becomes ours.
        if (consumer && assignment[ours.topic]?.includes(partition)) seek(consumer, ours, offset);
      }
    },
    close: async () => {
      closing.abort();
      clearInterval(watch);
      await starting;
      // The consumer stays current while it disconnects, so that work in progress is committed.
      await consumer?.disconnect();
      consumer = undefined;
    },
  };
};

interface Membership {
  /** Returns whether this member still has the partition. */
  isMine: () => boolean;
  /** Sets the offset to fetch next from the partition. */
  seek: (offset: number) => void;
}

interface BatchOptions {
  /** The limits of one call of `handle`. */
  limits: readonly PageLimit<KafkaMessage>[];
  /** Milliseconds. */
  heartbeatEvery: number;
  closing: AbortSignal;
}

/** Passes a fetched batch to `handle`, slice by slice, and commits each slice. */
const makeBatches = (
  config: ConsumerConfig,
  { handle, onTrouble }: ConsumeOptions,
  { limits, heartbeatEvery, closing }: BatchOptions,
) => {
  const backoff = makeBackoff();
  const busy = new Set<string>();

  const handleBatch = async (payload: EachBatchPayload, membership: Membership): Promise<void> => {
    const { isMine } = membership;
    const { batch } = payload;
    const name = `${batch.topic}/${batch.partition}`;
    // An unresolved batch is fetched again.
    if (busy.has(name)) return pauseFor(payload, FIRST_PAUSE);
    busy.add(name);
    try {
      const wait = backoff.left(name);
      if (wait > 0) return pauseFor(payload, wait);
      const topic = topicOf(config, batch.topic)!;
      for (const messages of pagesOf(batch.messages, ...limits)) {
        if (!isMine() || !payload.isRunning() || payload.isStale()) return;
        const records = messages.map(message => logRecord(topic, batch.partition, message));
        if (!(await handled(payload, name, records, membership))) return;
        // The partition was reassigned meanwhile: the new member starts at the group's position.
        if (!isMine()) return;
        const last = records.at(-1)!.offset;
        await commit(payload, last);
        if (!isMine()) return;
        payload.resolveOffset(String(last));
        await payload.heartbeat();
      }
    } finally {
      busy.delete(name);
    }
  };

  /**
   * Returns false if the records are not acknowledged: the partition is paused, and the records are fetched
   * again, or those from the offset to which `handle` goes back.
   */
  const handled = async (
    payload: EachBatchPayload,
    name: string,
    records: LogRecord[],
    { isMine, seek }: Membership,
  ): Promise<boolean> => {
    // Heartbeats keep the session alive during a long call. The commit reports heartbeat errors again, but a
    // rebalance aborts the call at once, since the group waits for it.
    const givenUp = new AbortController();
    const beat = setInterval(
      () =>
        void payload.heartbeat().catch(error => {
          if (REBALANCED.has(error?.type)) givenUp.abort();
        }),
      heartbeatEvery,
    );
    const signal = AbortSignal.any([closing, givenUp.signal]);
    let outcome: NotHandled | undefined;
    try {
      outcome = (await handle(records, signal)) ?? undefined;
    } catch (error) {
      if (!signal.aborted) onTrouble(error);
      outcome = { kind: 'again' };
    } finally {
      clearInterval(beat);
    }
    if (!outcome) {
      backoff.clear(name);
      return true;
    }
    if (outcome.kind === 'rewind' && !signal.aborted) onTrouble(new Error(outcome.reason));
    if (outcome.kind === 'rewind' && isMine()) {
      // Shows every process at once that the group has gone back.
      await commit(payload, outcome.offset - 1);
      seek(outcome.offset);
    } else pauseFor(payload, backoff.refused(name));
    return false;
  };

  return { handle: handleBatch, areUnderWay: (): boolean => busy.size > 0 };
};

const seek = (
  consumer: KafkaConsumer,
  { topic, partition }: { topic: string; partition: number },
  offset: number,
): void => consumer.seek({ topic, partition, offset: String(offset) });

const commit = async (payload: EachBatchPayload, offset: number): Promise<void> => {
  const { topic, partition } = payload.batch;
  await payload.commitOffsetsIfNecessary({
    topics: [{ topic, partitions: [{ partition, offset: String(offset + 1) }] }],
  });
};

const pauseFor = (payload: EachBatchPayload, milliseconds: number): void => {
  const resume = payload.pause();
  setTimeout(resume, milliseconds).unref();
};

/** Returns back-offs by partition name; each refusal doubles the pause. */
const makeBackoff = () => {
  const refusals = new Map<string, { pause: number; until: number }>();
  return {
    /** Returns the milliseconds until the next attempt. */
    left: (name: string): number => Math.max(0, (refusals.get(name)?.until ?? 0) - performance.now()),
    /** Notes one more refusal; returns the milliseconds to wait. */
    refused: (name: string): number => {
      const last = refusals.get(name)?.pause;
      const pause = last === undefined ? FIRST_PAUSE : Math.min(last * 2, LONGEST_PAUSE);
      refusals.set(name, { pause, until: performance.now() + pause });
      return pause;
    },
    clear: (name: string): void => void refusals.delete(name),
  };
};
