/**
 * Measures costs that grow with an installation's history, in the mode `cluster`, on its own Redis, which may
 * be killed.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../../core/config.ts';
import { makeDecode } from '../../../core/log/events.ts';
import { partitionName, partitionsOf } from '../../../core/log/positions.ts';
import { readPages } from '../../../core/log/read.ts';
import { makeClosers } from '../../../core/timing/closers.ts';
import { makeLog } from '../../../core/watch/logger.ts';
import { connectKafka } from '../../../infra/cluster/kafka/client/kafka-client.ts';
import { groupName, topicName } from '../../../infra/cluster/kafka/records.ts';
import { openKeyCache } from '../../../infra/cluster/keys/cache/cache.ts';
import { openRedisAdmission } from '../../../infra/cluster/redis/admission/admission.ts';
import { ACCOUNT_INDEX_GROUP, makeIndexStep } from '../../../services/cluster/accounts/account-index.ts';
import { restoreAccounts } from '../../../services/cluster/accounts/restore-accounts.ts';
import { openAdapters } from '../../../services/cluster/adapters.ts';
import { PROJECTOR_GROUP } from '../../../services/workers/projector/group.ts';
import { type OwnRedis, startOwnRedis } from '../../../test/support/engines/redis-server.ts';
import { drain } from '../cluster/cluster-projection.ts';
import { type Installation, install } from '../cluster/installation.ts';
import type { Conversation } from '../load/conversation.ts';
import type { Part } from '../measure/figures-table.ts';
import { appendAccountEvents } from './account-events.ts';
import { measureOutage } from './first-admitted.ts';
import { appendTurns, measureClusterErasure } from './scale-erasure.ts';
import { erasurePart, indexPart, memoryPart, outagePart, projectedPart } from './scale-figures.ts';
import { appendSessions, type MadeSession } from './scale-sessions.ts';
import { admitTurns } from './turns-of-a-week.ts';

const ORGANIZATIONS = 8;
const TURNS_OF_A_SESSION = 20;
/** Account events that are folded together. */
const FOLDED = 5_000;
const MOST_TAIL = { mostTail: 50_000, mostTailBytes: 64 * 1024 * 1024 };
const CACHED_AT_ONCE = 100;

interface ScaleOptions {
  engines: Record<string, string>;
  conversation: Conversation;
  sessions: number;
  /** Number of account events. */
  events: number;
  turns: number;
  say: (line: string) => void;
  show: (part: Part) => void;
  /** Receives functions to call at the end, whatever happens. */
  atEnd: (drop: () => Promise<void>) => void;
}

const secondsOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return (performance.now() - started) / 1_000;
};

/** Opens the service's own stores in this process, for work that no call does. */
const openInside = async ({ cluster }: Installation) => {
  const read = readConfig(cluster.environment);
  if (!read.ok) throw new Error(read.faults.join('\n'));
  const closers = makeClosers();
  const adapters = await openAdapters(read.config, makeLog('warn'), 0, closers);
  const { namespace, partitions } = read.config.cluster!;
  const { gate, tail, clock, recall } = adapters;
  const { isIndexed } = recall;
  const admission = openRedisAdmission({
    gate,
    namespace,
    tail,
    clock,
    isIndexed,
    partitions,
    ...MOST_TAIL,
  });
  return { ...adapters, namespace, admission, cache: openKeyCache(gate.redis, namespace), closers };
};

type Inside = Awaited<ReturnType<typeof openInside>>;

/** Commits the end of a topic, as a consumer that has read all of it. */
const commitEnds = async ({ log }: Inside, { config }: Installation, group: string): Promise<void> => {
  const ends = partitionsOf(await log.ends(), 'accounts');
  const admin = connectKafka(config).admin();
  await admin.connect();
  try {
    await admin.setOffsets({
      groupId: groupName(config, group),
      topic: topicName(config, 'accounts'),
      partitions: ends.map(({ partition, offset }) => ({ partition, offset: String(offset) })),
    });
  } finally {
    await admin.disconnect();
  }
};

/** Fills Redis and the index as their consumers do, in larger steps. Resolves to the seconds of each. */
const foldAccounts = async (inside: Inside, installation: Installation) => {
  const { log, clock, gate, accountIndex: index, keys, accountsOn } = inside;
  const decode = makeDecode(keys);
  const indexSeconds = await secondsOf(async () => {
    const step = makeIndexStep({ log, decode, index, clock });
    await Promise.all(
      partitionsOf(await log.ends(), 'accounts').map(async ({ partition, offset }) => {
        const to = { [partitionName({ topic: 'accounts', partition })]: offset };
        for await (const { records } of readPages(log, { topics: ['accounts'], to, pageSize: FOLDED }))
          await step(records);
      }),
    );
  });
  const accounts = accountsOn(gate.redis);
  const redisSeconds = await secondsOf(() => restoreAccounts({ log, decode, accounts, clock }));
  for (const group of [PROJECTOR_GROUP, ACCOUNT_INDEX_GROUP]) await commitEnds(inside, installation, group);
  return { indexSeconds, redisSeconds };
};

/** Caches the keys of these sessions, as if all had been in use within the hour. */
const cacheKeys = async ({ cache }: Inside, sessions: readonly MadeSession[]): Promise<void> => {
  const { id } = await cache.state();
  for (let at = 0; at < sessions.length; at += CACHED_AT_ONCE)
    await Promise.all(
      sessions.slice(at, at + CACHED_AT_ONCE).map(({ wrapped }) => cache.keep(wrapped, () => 0, id)),
    );
};

/** Fills log, indexes and Redis. Resolves to the sessions of the user with many. */
const fill = async (
  installation: Installation,
  redis: OwnRedis,
  { conversation, sessions, events, turns, say, show }: ScaleOptions,
): Promise<MadeSession[]> => {
  const inside = await openInside(installation);
  try {
    const { log, keyIndexer, admission } = inside;
    say(`appending the keys of ${sessions} sessions`);
    const organizations = [...installation.organizations.keys()];
    const wrapping = inside.installation.read()[0]!;
    const appended = await appendSessions(log, wrapping, { organizations, sessions });
    say('reading them into their index');
    const keySeconds = await secondsOf(keyIndexer.catchUp);
    say(`appending ${events} account events`);
    await appendAccountEvents(log, events);
    say('folding them');
    await inside.gate.opened();
    const before = await redis.used();
    const accountSeconds = await foldAccounts(inside, installation);
    show(indexPart({ keys: appended, keySeconds, events, accountSeconds }));

    say(`admitting ${turns} turns`);
    const accounts = await redis.used();
    const seconds = await admitTurns({ admission, conversation, key: appended.large[0]!.key, turns });
    const admitted = await redis.used();
    const inUse = appended.large.slice(0, turns / TURNS_OF_A_SESSION);
    await cacheKeys(inside, inUse);
    const used = { before, accounts, admitted, cached: await redis.used() };
    show(memoryPart({ sessions, events, turns, seconds, inUse: inUse.length, used }));
    return appended.large;
  } finally {
    await inside.closers.close();
  }
};

const projectTurns = async (
  installation: Installation,
  large: readonly MadeSession[],
  conversation: Conversation,
): Promise<number> => {
  const inside = await openInside(installation);
  try {
    await appendTurns(inside.log, large, conversation);
    const projector = await installation.cluster.start('projector');
    const seconds = await drain(inside.log);
    await projector.stop();
    return seconds;
  } finally {
    await inside.closers.close();
  }
};

export const measureScale = async (options: ScaleOptions): Promise<void> => {
  const { engines, conversation, say, show, atEnd } = options;
  const redis = await startOwnRedis('--appendonly', 'yes', '--maxmemory-policy', 'noeviction');
  atEnd(redis.close);
  say('making topics, index, tables and organizations');
  const installation = await install({
    engines: { ...engines, TURNSTONE_REDIS_URL: redis.url },
    organizations: ORGANIZATIONS,
    conversation,
    say,
    atEnd,
  });
  const { cluster } = installation;
  const large = await fill(installation, redis, options);

  const api = await cluster.start('api');
  const outage = (lose: () => void) => measureOutage(api.url, cluster.apiKey, redis, lose);
  say('killing Redis');
  const kept = await outage(() => {});
  say('killing Redis and removing its files');
  const wiped = await outage(() => rmSync(join(redis.folder, 'appendonlydir'), { recursive: true }));
  show(outagePart({ kept, wiped }));

  say(`a turn in each of ${large.length} sessions of a user`);
  show(projectedPart(large.length, await projectTurns(installation, large, conversation)));
  const projector = await cluster.start('projector');
  say('erasing the user');
  const erased = await measureClusterErasure(api, cluster.apiKey);
  await Promise.all([api.stop(), projector.stop()]);
  show(erasurePart('cluster', erased));
};
