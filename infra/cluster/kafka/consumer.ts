import { setTimeout as sleep } from 'node:timers/promises';
import { eventsIn } from '../../../core/log/events.ts';
import { MOST_GROWTH } from '../../../core/log/packed-body.ts';
import { parsePartition } from '../../../core/log/positions.ts';
import { PAGE_BYTES } from '../../../core/ports/log/event-log.ts';
import type { Consumer } from '../../../core/ports.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { type ConsumeOptions, FIRST_PAUSE, LONGEST_PAUSE, makeBatches } from './batches.ts';
import type { KafkaConnection } from './client/kafka-client.ts';
import { type Member, makeMember } from './client/member.ts';
import { groupName, topicName } from './records.ts';

export interface ConsumerOptions {
  clientId: string;
  /** Milliseconds until a silent member's partitions are reassigned; brokers require 6,000 or more. */
  sessionTimeout?: number;
  /** Milliseconds that members get to finish their work in a rebalance. */
  rebalanceTimeout?: number;
  /** Records per call of `handle`. */
  batchRecords?: number;
}

type ConsumerConfig = KafkaConnection & Pick<ClusterConfig, 'namespace' | 'partitions'>;

/**
 * The most bytes fetched from each broker, unless a single batch is larger (8 MiB at most): a broker always
 * returns the first one whole. A member handles its partitions at the same time, and the next fetch waits for
 * them, so this bounds the data projected and written at a time to 8 MiB once decoded.
 */
const FETCHED_BYTES = (8 * 1024 * 1024) / MOST_GROWTH;
/** Milliseconds without a fetch or a call after which a consumer is replaced. */
const SILENCE = 60_000;

/**
 * Joins a group as a member. A crashed member is always replaced by a new one: the client's own restart
 * covers only some causes and keeps its stale cluster metadata.
 */
export const consumeLog = async (
  config: ConsumerConfig,
  options: ConsumeOptions,
  { clientId, sessionTimeout = 7_000, rebalanceTimeout = 60_000, batchRecords = 500 }: ConsumerOptions,
): Promise<Consumer> => {
  const { group, topics, atOnce, onTrouble } = options;
  let member: Member | undefined;
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
  /** The time of the member's last fetch or join. */
  let sign = 0;

  const start = async (): Promise<void> => {
    const made = makeMember(config, {
      clientId,
      group: groupName(config, group),
      topics: topics.map(topic => topicName(config, topic)),
      sessionTimeout,
      rebalanceTimeout,
      heartbeatInterval: Math.floor(sessionTimeout / 6),
      fetchedBytes: FETCHED_BYTES,
      partitionBytes: PAGE_BYTES,
      atATime: topics.length * config.partitions,
      onJoin: assigned => {
        generation++;
        assignment = assigned;
        pause = FIRST_PAUSE;
        sign = performance.now();
      },
      onFetch: () => {
        sign = performance.now();
      },
      onCrash: error => {
        onTrouble(error);
        if (member === made) restart(made);
      },
      onBatch: batch => {
        const assigned = generation;
        return batches.handle(batch, {
          isMine: () => made === member && assigned === generation,
          seek: offset => made.seek(batch.topic, batch.partition, offset),
        });
      },
    });
    member = made;
    sign = performance.now();
    try {
      await made.start();
    } catch (error) {
      onTrouble(error);
      restart(made);
    }
  };

  let pause = FIRST_PAUSE;
  const restart = (crashed: Member): void => {
    if (member !== crashed) return;
    member = undefined;
    starting = (async () => {
      await Promise.race([crashed.leave().catch(() => {}), sleep(5_000, undefined, { ref: false })]);
      await sleep(pause, undefined, { signal: closing.signal }).catch(() => {});
      pause = Math.min(pause * 2, LONGEST_PAUSE);
      if (!closing.signal.aborted) await start();
    })();
  };

  // Some of the client's waits never end if a broker neither answers nor disconnects.
  const watch = setInterval(() => {
    if (!member || batches.areUnderWay() || performance.now() - sign < SILENCE) return;
    onTrouble(new Error('a consumer of the log fell silent'));
    restart(member);
  }, 5_000);
  watch.unref();

  await start();
  return {
    rewind: positions => {
      for (const [name, offset] of Object.entries(positions)) {
        const { topic, partition } = parsePartition(name);
        const ours = topicName(config, topic);
        // For another member's partition, the client would keep the offset until the partition becomes ours.
        if (assignment[ours]?.includes(partition)) member?.seek(ours, partition, offset);
      }
    },
    close: async () => {
      closing.abort();
      clearInterval(watch);
      await starting;
      // The member stays current while it disconnects, so that work in progress is committed.
      await member?.leave();
      member = undefined;
    },
  };
};
