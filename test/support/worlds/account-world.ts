/**
 * Account events in a log in memory, their index in Elasticsearch, and Redis servers' worth of accounts that
 * are rebuilt from both.
 */
import { randomBytes } from 'node:crypto';
import { encodeEvent } from '../../../core/log/encode.ts';
import { makeDecode } from '../../../core/log/events.ts';
import { offsetIn, partitionName, partitionsOf } from '../../../core/log/positions.ts';
import type { Positions } from '../../../core/ports.ts';
import {
  type AccountEntities,
  openAccountEntities,
} from '../../../infra/cluster/elasticsearch/accounts/account-entities.ts';
import {
  accountIndex,
  migrateAccountIndex,
} from '../../../infra/cluster/elasticsearch/accounts/account-index.ts';
import {
  connectElasticsearch,
  type Elasticsearch,
} from '../../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { openRedisAccountStore } from '../../../infra/cluster/redis/accounts/account-store.ts';
import type { RedisClient } from '../../../infra/cluster/redis/redis-client.ts';
import type { AccountEvent } from '../../../projections/accounts/accounts-projection.ts';
import type { ClusterConfig } from '../../../schemas/config.ts';
import { makeIndexStep } from '../../../services/cluster/accounts/account-index.ts';
import {
  makeRebuildAccounts,
  type RebuiltAccounts,
} from '../../../services/cluster/accounts/restore-accounts.ts';
import { deleteInElasticsearch } from '../engines/drop-namespace.ts';
import { type MemoryLog, memoryLog } from '../engines/memory-log.ts';
import { dropRedisKeys, redisContents } from '../engines/redis.ts';

const decode = makeDecode({ byId: async () => undefined, destroyKeys: async () => {} });

/** Keys that end sooner were of events that had ended before: a rebuild from the index does without them. */
const SOON_MS = 25_000;

export interface AccountWorld {
  log: MemoryLog;
  elasticsearch: Elasticsearch;
  /** The index over this connection or another one. */
  indexOver(elasticsearch?: Pick<Elasticsearch, 'ask'>): AccountEntities;
  append(events: readonly AccountEvent[]): Promise<void>;
  /**
   * Plays the consumer: up to the end or for so many steps, from its committed positions on, in steps of so
   * many records.
   */
  indexOn(
    index?: AccountEntities,
    options?: { size?: number; steps?: number; committed?: Positions },
  ): Promise<void>;
  /** Rebuilds; returns what Redis has then, but for what ends soon, and what was read. */
  rebuilt(index?: AccountEntities): Promise<{
    contents: Record<string, unknown>;
    /** By key: in milliseconds; -1: for ever. */
    lives: Record<string, number>;
    entities: number;
    events: number;
    /** Offsets in each partition. */
    reads: Record<string, number[]>;
    unusable: string[];
  }>;
  /** Rebuilds of one process, each of a Redis that was wiped. */
  rebuilder(index: AccountEntities): {
    rebuild(): Promise<RebuiltAccounts & { reads: Record<string, number[]>; unusable: string[] }>;
    contents(): Promise<{ contents: Record<string, unknown>; lives: Record<string, number> }>;
  };
  /** All documents of the index by id, with their versions. */
  documents(): Promise<Map<string, { version: number; source: Record<string, unknown> }>>;
  /** Replaces the index by an empty one, or by one that has these documents. */
  replaceIndex(documents?: Map<string, { version: number; source: Record<string, unknown> }>): Promise<void>;
  /** As if it had never been written: everything comes again. */
  forgetPositions(): Promise<void>;
  close(): Promise<void>;
}

export const openAccountWorld = async (
  base: ClusterConfig,
  redis: RedisClient,
  clock: () => number,
): Promise<AccountWorld> => {
  const config = { ...base, namespace: `${base.namespace}-${randomBytes(4).toString('hex')}` };
  const { namespace } = config;
  const elasticsearch = connectElasticsearch(config);
  const index = accountIndex(config);
  const log = memoryLog(2);
  let attempts = 0;
  let rebuilds = 0;
  const names: string[] = [];
  await migrateAccountIndex(config);
  const indexOver: AccountWorld['indexOver'] = (over = elasticsearch) =>
    openAccountEntities(config, { ...elasticsearch, ...over });

  const world: AccountWorld = {
    log,
    elasticsearch,
    indexOver,
    append: async events => {
      for (const event of events) {
        const headers = { attempt: `attempt-${attempts++}` };
        await log.append([{ topic: 'accounts', key: event.org_id, value: encodeEvent(event), headers }]);
      }
    },
    indexOn: async (
      over = indexOver(),
      { size = 7, steps = Number.POSITIVE_INFINITY, committed = {} } = {},
    ) => {
      const step = makeIndexStep({ log: log as never, decode, index: over, clock });
      for (const { topic, partition, offset: end } of partitionsOf(await log.ends(), 'accounts')) {
        for (let next = offsetIn(committed, { topic, partition }); next < end && steps > 0; ) {
          const records = await log.read(topic, partition, next, size);
          steps -= 1;
          const outcome = await step(records);
          next = outcome?.kind === 'rewind' ? outcome.offset : records.at(-1)!.offset + 1;
          committed[partitionName({ topic, partition })] = next;
        }
      }
    },
    rebuilder: over => {
      const name = `${namespace}-${rebuilds++}`;
      names.push(name);
      const accounts = openRedisAccountStore({
        redis,
        namespace: name,
        log,
        encode: event => encodeEvent(event),
        clock,
      });
      let reads: Record<string, number[]> = {};
      let unusable: string[] = [];
      const read: MemoryLog['read'] = async (topic, partition, offset, limit) => {
        const records = await log.read(topic, partition, offset, limit);
        const topicPartition = `${topic}/${partition}`;
        reads[topicPartition] = [...(reads[topicPartition] ?? []), ...records.map(record => record.offset)];
        return records;
      };
      const onUnusable = (reason: string): void => void unusable.push(reason);
      const rebuild = makeRebuildAccounts({ log: { ...log, read }, index: over, clock, onUnusable });
      return {
        rebuild: async () => {
          await dropRedisKeys(redis, name);
          reads = {};
          unusable = [];
          return { ...(await rebuild({ decode, accounts })), reads, unusable };
        },
        contents: () => lasting(redis, name, clock()),
      };
    },
    rebuilt: async (over = indexOver()) => {
      const { rebuild, contents } = world.rebuilder(over);
      return { ...(await rebuild()), ...(await contents()) };
    },
    forgetPositions: async () => {
      for (const [id] of await world.documents())
        if (id.startsWith('position'))
          await elasticsearch.ask('DELETE', `/${index}/_doc/${encodeURIComponent(id)}`);
    },
    documents: async () => {
      await elasticsearch.ask('POST', `/${index}/_refresh`);
      interface Hit {
        _id: string;
        _version: number;
        _source: Record<string, unknown>;
      }
      const { hits } = await elasticsearch.ask<{ hits: { hits: Hit[] } }>('POST', `/${index}/_search`, {
        body: { size: 10_000, version: true },
      });
      return new Map(
        hits.hits
          // The version of a position is the engine's own.
          .map(({ _id, _version, _source }) => {
            const version = _id.startsWith('position') ? 1 : _version;
            return [_id, { version, source: _source }] as const;
          })
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      );
    },
    replaceIndex: async (documents = new Map()) => {
      await deleteInElasticsearch(config, index);
      await migrateAccountIndex(config);
      if (documents.size === 0) return;
      const lines = [...documents].flatMap(([_id, { version, source }]) => [
        JSON.stringify({ index: { _id, version, version_type: 'external' } }),
        JSON.stringify(source),
      ]);
      await elasticsearch.ask('POST', `/${index}/_bulk`, { lines });
    },
    close: async () => {
      for (const name of names) await dropRedisKeys(redis, name);
      await deleteInElasticsearch(config, index);
      await deleteInElasticsearch(config, `_index_template/${index}`);
      await elasticsearch.close();
    },
  };
  return world;
};

/** Organizations that are looked at for webhooks: one whose webhooks were all deleted may be among them. */
const WITH_WEBHOOKS = ':account:organizations-with-webhooks';

const hasWebhook = (contents: Record<string, unknown>, org: string): boolean =>
  Object.entries(contents).some(
    ([key, document]) =>
      key.startsWith(`:{${org}}:account:document:webhook:`) &&
      JSON.parse(document as string).deleted_at === undefined,
  );

/** But for the versions, which are random, and what ends soon. */
const lasting = async (redis: RedisClient, name: string, now: number) => {
  const contents: Record<string, unknown> = {};
  const lives: Record<string, number> = {};
  for (const [key, value] of Object.entries(await redisContents(redis, name))) {
    const life = await redis.pttl(key);
    if (key.endsWith(':version') || (life >= 0 && life < SOON_MS)) continue;
    const isOver = (score: string): boolean => Number(score) < now + SOON_MS;
    const listed = key.includes(':ids:')
      ? pairs(value as string[]).filter(([, score]) => !isOver(score))
      : value;
    if (key.includes(':ids:') && (listed as unknown[]).length === 0) continue;
    contents[key.slice(name.length)] = listed;
    lives[key.slice(name.length)] = life;
  }
  const asked = contents[WITH_WEBHOOKS];
  if (asked) contents[WITH_WEBHOOKS] = (asked as string[]).filter(org => hasWebhook(contents, org));
  return { contents, lives };
};

const pairs = (flat: readonly string[]): [string, string][] =>
  Array.from({ length: flat.length / 2 }, (_, n) => [flat[2 * n]!, flat[2 * n + 1]!]);
