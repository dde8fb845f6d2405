import { readFileSync } from 'node:fs';
import { usageGenerations } from '../../infra/cluster/clickhouse/generations.ts';
import { openUsageStore } from '../../infra/cluster/clickhouse/usage-store.ts';
import { recallGenerations } from '../../infra/cluster/elasticsearch/generations.ts';
import { openElasticsearchIndex } from '../../infra/cluster/elasticsearch/recall-index.ts';
import { makeGenerationWriters } from '../../infra/cluster/generations/writes.ts';
import { openKafkaLog } from '../../infra/cluster/kafka/log.ts';
import { openLogKeyStore } from '../../infra/cluster/keys/key-store.ts';
import { makeProjectionStore, type SubStores } from '../../infra/cluster/projection-store.ts';
import { accountKeys } from '../../infra/cluster/redis/account-keys.ts';
import { type RepairAccountsOptions, repairAccounts } from '../../infra/cluster/redis/account-repair.ts';
import { openRedisAccountStore } from '../../infra/cluster/redis/account-store.ts';
import type { RebuiltFrom } from '../../infra/cluster/redis/admission.ts';
import { type RepairAdmissionOptions, repairAdmission } from '../../infra/cluster/redis/admission-repair.ts';
import type { RedisClient } from '../../infra/cluster/redis/client.ts';
import { openRedis } from '../../infra/cluster/redis/gate.ts';
import { rebuildAdmission } from '../../infra/cluster/redis/rebuild.ts';
import { openChatCompletions } from '../../infra/llm/chat-completions.ts';
import { readInstallationKey } from '../../infra/secrets/files.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { makeLanguage } from '../../projections/language/language.ts';
import type { Config } from '../../schemas/config.ts';
import type { Closers } from '../core/closers.ts';
import { encodeEvent } from '../core/log/events.ts';
import type { Log } from '../core/watch/logger.ts';
import { makeYieldWhenDue } from '../core/yield-when-due.ts';
import { rebuildRedis } from './rebuild.ts';

export type Adapters = Awaited<ReturnType<typeof openAdapters>>;

const loadLanguage = () =>
  makeLanguage(readFileSync(new URL('../../projections/language/static-vectors.bin', import.meta.url)));

/** The shared engines as every role needs them, opened in order; `closers` learns how to close them, in that order. */
export const openAdapters = async (config: Config, logger: Log, clockOffset: number, closers: Closers) => {
  const cluster = config.cluster!;
  const { namespace } = cluster;
  const clock = (): number => Date.now() + clockOffset;
  const installationKey = readInstallationKey(cluster.installationKey);
  const onTrouble =
    (engine: string) =>
    (error: unknown): void =>
      logger.warn({ engine, reason: error instanceof Error ? error.message : 'unknown fault' }, 'trouble');

  const onDropped = (projection: string, generation: number, reason: string): void =>
    logger.error({ projection, generation, reason }, 'a generation failed and is no longer written to');

  const onWaits = (reason: string): void => logger.warn({ reason }, 'nothing is projected for now');

  const language = loadLanguage();
  const log = await openKafkaLog(cluster, {
    clientId: `turnstone-${config.role}`,
    onTrouble: onTrouble('kafka'),
  });
  closers.add(log.close);
  const recall = openElasticsearchIndex({
    config: cluster,
    decodeDocument,
    analyse: language.analyse,
    makeYieldWhenDue,
    onDropped,
  });
  closers.add(recall.close);
  const { registry } = recall;
  const usage = openUsageStore({
    config: cluster,
    clock,
    generations: makeGenerationWriters({
      registry,
      projection: 'usage',
      version: PROJECTIONS.usage.version,
      onDropped,
    }),
  });
  closers.add(usage.close);

  const keysOn = (redis: RedisClient) => openLogKeyStore({ redis, namespace, log, installationKey });
  const accountsOn = (redis: RedisClient) =>
    openRedisAccountStore({ redis, namespace, log, encode: event => encodeEvent(event), clock });
  const stores = {
    config: cluster,
    namespace,
    clock,
    language,
    log,
    recall,
    usage,
    keysOn,
    accountsOn,
    onTrouble,
    onWaits,
  };
  const gate = openRedis<RebuiltFrom>({
    config: cluster,
    rebuild: async (redis, epoch) => {
      const facts = await rebuildRedis({
        log,
        usage,
        clock,
        keys: keysOn(redis),
        accounts: accountsOn(redis),
        admission: {
          rebuild: from => rebuildAdmission({ inside: redis, epoch, namespace, clock, ...from }),
        },
      });
      logger.info({ epoch }, 'Redis was rebuilt from the log');
      return facts;
    },
    onTrouble: onTrouble('redis'),
  });
  closers.add(gate.close);
  return {
    ...stores,
    gate,
    projectionStore: (others: Pick<SubStores, 'accounts' | 'admission'>) =>
      makeProjectionStore({ recall: recall.store, usage, ...others }),
    openChat: openChatCompletions,
    generations: {
      recall: recallGenerations(recall.elasticsearch, cluster, decodeDocument),
      usage: usageGenerations(usage.atLeisure, cluster),
    },
    repairs: openRepairs(gate, namespace, clock),
  };
};

/** The repairs of what Redis holds. */
const openRepairs = (
  gate: { redis: RedisClient; generation(): { epoch: string } },
  namespace: string,
  clock: () => number,
) => ({
  organizations: () => gate.redis.smembers(accountKeys(namespace).organizations),
  accounts: (options: Pick<RepairAccountsOptions, 'readOn' | 'dryRun'>) =>
    repairAccounts({ redis: gate.redis, namespace, clock, ...options }),
  admission: (options: Omit<RepairAdmissionOptions, 'redis' | 'epoch' | 'namespace' | 'clock'>) =>
    repairAdmission({
      redis: gate.redis,
      epoch: gate.generation().epoch,
      namespace,
      clock,
      ...options,
    }),
});
