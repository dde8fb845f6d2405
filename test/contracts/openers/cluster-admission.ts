/** Admission on a real Redis, over a log in memory with the projector's step made when the test says so. */

import type { Event } from '../../../core/log/events.ts';
import { loggedOf } from '../../../core/log/logged.ts';
import type { Logged, Positions, RecordAddress, Tokens } from '../../../core/ports.ts';
import { fnv1a } from '../../../domain/language/words/fnv.ts';
import { makeUsageReader } from '../../../infra/cluster/clickhouse/usage-reader.ts';
import {
  openRedisAdmission,
  type RebuiltFrom,
  type RedisAdmissionOptions,
} from '../../../infra/cluster/redis/admission/admission.ts';
import { makeSealedTail, type SealedTail } from '../../../infra/cluster/redis/admission/sealed-tail.ts';
import { openRedis, type RedisGate } from '../../../infra/cluster/redis/gate/gate.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { clusterConfig } from '../../support/engines/engines.ts';
import { dropRedisKeys, openTestRedis } from '../../support/engines/redis.ts';
import { sessionKey } from '../../support/worlds/builders.ts';
import type { AdmissionBench } from './admission.ts';

/** The day on which the builders' events are recorded. */
export const NOW = Date.parse('2026-03-10T08:00:00Z');
const DAY_MS = 86_400_000;
const PARTITIONS = 2;

const day = (instant: number): string => new Date(instant).toISOString().slice(0, 10);
const add = (a: Tokens, b: Tokens): Tokens => ({
  tokensIn: a.tokensIn + b.tokensIn,
  tokensOut: a.tokensOut + b.tokensOut,
});
const NOTHING: Tokens = { tokensIn: 0, tokensOut: 0 };

/** Dense offsets in each partition; a turn's copies share one. */
export const makeMemoryLog = () => {
  const partitions = new Map<string, Logged[]>();
  const partitionOf = (event: Event): number => {
    const { user_id = '' } = event.data as { user_id?: string };
    const name = event.topic === 'usage' ? event.id : user_id;
    return fnv1a(name) % PARTITIONS;
  };
  return {
    append: (event: Event, attempt?: string): RecordAddress => {
      const { topic } = event;
      const partition = partitionOf(event);
      const name = `${topic}/${partition}`;
      const records = partitions.get(name) ?? partitions.set(name, []).get(name)!;
      const address = { topic, partition, offset: records.length };
      records.push(loggedOf({ ...event, ...address, attempt }));
      return address;
    },
    ends: (): Positions =>
      Object.fromEntries([...partitions].map(([name, records]) => [name, records.length])),
    read: (topicPartition: string, from: number, to: number): Logged[] =>
      (partitions.get(topicPartition) ?? []).slice(from, to),
    /** Returns the tokens that an event bills. */
    tokensOf: (id: string): number => {
      for (const records of partitions.values()) {
        const event = records.find(each => each.id === id);
        if (event) return event.tokens.tokensIn + event.tokens.tokensOut;
      }
      return 0;
    },
    /** Returns what an organization's events below the positions bill, each event once: the first copy's. */
    fold: (org: string, from: string, to: string, below?: Positions): Tokens => {
      const seen = new Set<string>();
      let sum = NOTHING;
      for (const [name, records] of partitions) {
        for (const event of records.slice(0, below ? (below[name] ?? 0) : undefined)) {
          if (seen.has(event.id)) continue;
          seen.add(event.id);
          if (event.org === org && event.day >= from && event.day <= to) sum = add(sum, event.tokens);
        }
      }
      return sum;
    },
  };
};

export type MemoryLog = ReturnType<typeof makeMemoryLog>;

/** The turns that a projector at these positions made known to the index. */
export const indexedBelow =
  (log: MemoryLog, positions: () => Positions): RedisAdmissionOptions['isIndexed'] =>
  async (org, user, ids) => {
    const found = new Map<string, boolean>();
    for (const [topicPartition, offset] of Object.entries(positions())) {
      for (const { turn } of log.read(topicPartition, 0, offset)) {
        if (turn?.org !== org || turn.user !== user || !ids.includes(turn.id) || found.has(turn.id)) continue;
        found.set(turn.id, turn.active);
      }
    }
    return found;
  };

/** Removes what a suite made. */
export const dropNamespace = async (config: ClusterConfig): Promise<void> => {
  const redis = await openTestRedis(config);
  await dropRedisKeys(redis, config.namespace);
  redis.disconnect();
};

/** A tail under keys that nobody destroys. */
export const openSealedTail = (): SealedTail => makeSealedTail({ byId: async () => sessionKey().sealing });

/** A gate whose rebuild finds nothing to restore. */
const openEmptyGate = async (config: ClusterConfig): Promise<RedisGate<RebuiltFrom>> => {
  const gate = openRedis({
    config,
    rebuild: async () => ({ floor: {}, lookUpUntil: 0 }),
    onTrouble: () => {},
  });
  await gate.opened();
  return gate;
};

export const openClusterAdmissionBench = async (config = clusterConfig()): Promise<AdmissionBench> => {
  const gate = await openEmptyGate(config);
  const log = makeMemoryLog();
  const projected: Positions = {};
  const open = () =>
    openRedisAdmission({
      gate,
      namespace: config.namespace,
      tail: openSealedTail(),
      clock: () => NOW,
      isIndexed: indexedBelow(log, () => projected),
      partitions: 4,
      mostTail: 50_000,
      mostTailBytes: 64 * 1024 * 1024,
    });
  let admission = open();
  return {
    get admission() {
      return admission;
    },
    // As the service reads usage, with the log in place of the usage store.
    usage: makeUsageReader({
      recent: async (org, days) => {
        const tokens = await admission.billed(org, days);
        return new Map(days.map((day, i) => [day, tokens[i]!]));
      },
      stored: {
        daily: async (org, from, to) => {
          const days = new Map<string, Tokens>();
          for (let at = Date.parse(from); day(at) <= to; at += DAY_MS)
            days.set(day(at), log.fold(org, day(at), day(at)));
          return days;
        },
      },
      projectedUntil: async () => NOW,
      clock: () => NOW,
    }),
    append: async events => events.map(event => log.append(event)),
    project: async () => {
      for (const [topicPartition, end] of Object.entries(log.ends())) {
        const from = projected[topicPartition] ?? 0;
        projected[topicPartition] = end;
        await admission.settle(log.read(topicPartition, from, end), { [topicPartition]: end });
      }
    },
    restart: async () => {
      admission = open();
    },
    close: async () => {
      gate.close();
      await dropNamespace(config);
    },
  };
};
