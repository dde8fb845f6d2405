import { servingOf, withModel } from '../../core/generations.ts';
import { encodeEvent } from '../../core/log/encode.ts';
import type { Embeddings } from '../../core/ports/models/embed.ts';
import type { GenerationRegistry } from '../../core/ports/projection/generation-registry.ts';
import { sharedTable } from '../../core/threads/shared-table.ts';
import type { Closers } from '../../core/timing/closers.ts';
import type { Log } from '../../core/watch/logger.ts';
import { makeLanguage } from '../../domain/language/language.ts';
import { openAccountEntities } from '../../infra/cluster/elasticsearch/accounts/account-entities.ts';
import { connectElasticsearch } from '../../infra/cluster/elasticsearch/elasticsearch-client.ts';
import { mostRecords } from '../../infra/cluster/elasticsearch/write/fragment-numbers.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { openKeyIndex } from '../../infra/cluster/keys/index/elasticsearch-index.ts';
import { makeKeyIndexer } from '../../infra/cluster/keys/index/indexer.ts';
import { openLogKeyStore } from '../../infra/cluster/keys/key-store.ts';
import { makeKeyUpkeep } from '../../infra/cluster/keys/upkeep.ts';
import { makeProjectionStore, type SubStores } from '../../infra/cluster/projection-store.ts';
import { openRedisAccountStore } from '../../infra/cluster/redis/accounts/account-store.ts';
import { advanceCheckpoint } from '../../infra/cluster/redis/admission/rebuild/checkpoint.ts';
import { makeSealedTail } from '../../infra/cluster/redis/admission/sealed-tail.ts';
import { makeAgreedClock } from '../../infra/cluster/redis/agreed-clock.ts';
import { makeBegunErasures } from '../../infra/cluster/redis/begun-erasures.ts';
import { makeExpiryCounts } from '../../infra/cluster/redis/expiry-counts.ts';
import { openOwnFiles } from '../../infra/cluster/redis/files/own-files.ts';
import type { RedisClient } from '../../infra/cluster/redis/redis-client.ts';
import { openRedisWebhooks } from '../../infra/cluster/redis/webhooks.ts';
import { openChatCompletions } from '../../infra/llm/chat-completions.ts';
import { openEmbeddings } from '../../infra/llm/embeddings.ts';
import { followInstallationKeys } from '../../infra/secrets/installation-keys.ts';
import { webhookSenderOf } from '../../infra/webhooks/send.ts';
import type { Config, EmbeddingsConfig } from '../../schemas/config.ts';
import { PROJECTOR_GROUP } from '../workers/projector/group.ts';
import { keepCheckpoints } from './checkpoints.ts';
import { openProjections } from './projections.ts';
import { openGate, openRepairs } from './redis.ts';
import { guardLog } from './upkeep/log-guard.ts';
import { guardStores } from './upkeep/store-guard.ts';

export type Adapters = Awaited<ReturnType<typeof openAdapters>>;

/**
 * Opens the shared engines that every role needs, in order, and adds their close functions to `closers` in
 * that order.
 */
export const openAdapters = async (config: Config, logger: Log, clockOffset: number, closers: Closers) => {
  const cluster = config.cluster!;
  const { namespace } = cluster;
  const clock = (): number => Date.now() + clockOffset;
  const reports = makeReports(logger);
  const { onTrouble, onWaits } = reports;
  const table = sharedTable();
  const language = makeLanguage(new Uint8Array(table));
  const log = await openKafkaLog(cluster, {
    clientId: `turnstone-${config.role}`,
    onTrouble: onTrouble('kafka'),
  });
  closers.add(log.close);
  const logGuard = guardLog(log, logger, mostRecords(cluster.partitions));
  closers.add(logGuard.close);
  const projections = openProjections(cluster, { clock, onDropped: reports.onDropped }, closers);
  const { registry, generational } = projections;
  const accountIndex = openAccountEntities(cluster);
  closers.add(accountIndex.close);
  const committed = () => log.committed(PROJECTOR_GROUP);
  const storeGuard = guardStores({ registry, generational, committed, logger });
  closers.add(storeGuard.close);

  const installation = followInstallationKeys(cluster.installationKey, err =>
    logger.error({ err }, 'the installation keys could not be read; they stay as they were'),
  );
  const elasticsearch = connectElasticsearch(cluster);
  closers.add(elasticsearch.close);
  const keyIndex = openKeyIndex(elasticsearch, cluster, clock);
  const keysOn = (redis: RedisClient) =>
    openLogKeyStore({ redis, namespace, log, index: keyIndex, installation, clock });
  const accountsOn = (redis: RedisClient) =>
    openRedisAccountStore({ redis, namespace, log, encode: event => encodeEvent(event), clock });
  const stores = {
    namespace,
    clock,
    language,
    log,
    ...projections,
    accountIndex,
    keysOn,
    accountsOn,
    onTrouble,
    onWaits,
  };
  const gate = openGate(cluster, stores, logger);
  closers.add(gate.close);
  // A Redis Cluster is rebuilt, never repaired (gate-rebuild.ts).
  if (!cluster.redis.cluster)
    closers.add(
      keepCheckpoints({
        gate,
        advance: generation =>
          advanceCheckpoint({
            redis: gate.redis,
            namespace,
            generation,
            committed: () => log.committed(PROJECTOR_GROUP),
          }),
        onTrouble: onTrouble('redis'),
      }).close,
    );
  const redisNow = async (): Promise<number> => {
    const [seconds, micros] = await gate.redis.time();
    return Number(seconds) * 1_000 + Number(micros) / 1_000;
  };
  const keys = keysOn(gate.redis);
  closers.add(keys.close);
  const tail = makeSealedTail(keys);
  return {
    ...stores,
    table,
    gate,
    ownFiles: openOwnFiles({ redis: gate.redis, namespace }),
    expiryCounts: makeExpiryCounts({ redis: gate.redis, namespace }),
    begunErasures: makeBegunErasures({ redis: gate.redis, namespace }),
    webhooks: { send: webhookSenderOf(config), ...openRedisWebhooks({ redis: gate.redis, namespace }) },
    installation,
    keys,
    keyIndexer: makeKeyIndexer({ index: keyIndex, log, clock }),
    cleanKeyIndex: makeKeyUpkeep({ index: keyIndex, log, clock }),
    tail,
    agreedClock: makeAgreedClock({
      now: redisNow,
      clock,
      quarantineMs: config.quarantineHours * HOUR_MS,
    }),
    logGuard,
    storeGuard,
    projectionStore: (others: Pick<SubStores, 'accounts' | 'admission'>) =>
      makeProjectionStore({ ...projections.generational, ...others }),
    openChat: openChatCompletions,
    openEmbeddings,
    embeddings: config.embeddings && openEmbeddingsOf(config.embeddings, registry),
    repairs: openRepairs(gate, namespace, tail, clock),
  };
};

const HOUR_MS = 3_600_000;

/**
 * How long a served model is remembered: a promotion is noticed this much later, and answers come without
 * vectors until then.
 */
const SERVED_MS = 5_000;

/**
 * Opens the embeddings that recalls use. A serving generation without a model is assigned the first
 * configured one.
 */
const openEmbeddingsOf = (config: EmbeddingsConfig, registry: GenerationRegistry): Embeddings => {
  const [model] = config.models;
  let readAt = Number.NEGATIVE_INFINITY;
  let served: Promise<string | undefined> = Promise.resolve(undefined);
  const read = async (): Promise<string | undefined> => {
    const registered = await registry.read('recall');
    const serving = registered && servingOf(registered);
    if (!serving || serving.model !== undefined || model === undefined) return serving?.model;
    return servingOf(await registry.change('recall', before => withModel(before, model)))?.model;
  };
  return {
    embed: openEmbeddings(config),
    models: config.models,
    served: () => {
      if (performance.now() - readAt > SERVED_MS) {
        readAt = performance.now();
        served = read();
        // A fault is the caller's; the next one asks again.
        served.catch(() => {
          readAt = Number.NEGATIVE_INFINITY;
        });
      }
      return served;
    },
  };
};

/** Reports the engines' faults to the process's log. */
const makeReports = (logger: Log) => ({
  onTrouble:
    (engine: string) =>
    (error: unknown): void =>
      logger.warn({ engine, reason: error instanceof Error ? error.message : 'unknown fault' }, 'trouble'),
  onDropped: (projection: string, generation: number, reason: string): void =>
    logger.error({ projection, generation, reason }, 'a generation failed and is no longer written to'),
  onWaits: (reason: string): void => logger.warn({ reason }, 'nothing is projected for now'),
});
