/**
 * The shared engines of the mode `cluster`, opened in stages: adapters → stores → search → roles. What this
 * process does with them (answering calls, projecting, another consumer of the log, or all of it) is its
 * role. Closed in reverse.
 */

import { servingOf } from '../../core/generations.ts';
import { makeDecode } from '../../core/log/events.ts';
import type { Engines } from '../../core/ports/engines.ts';
import { DAY_MS, utcDay } from '../../core/time.ts';
import { makeClosers } from '../../core/timing/closers.ts';
import type { Log } from '../../core/watch/logger.ts';
import { assertTableFormat } from '../../infra/cluster/clickhouse/schema.ts';
import { makeUsageReader } from '../../infra/cluster/clickhouse/usage-reader.ts';
import { assertIndexFormat } from '../../infra/cluster/elasticsearch/index/registry.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics/topics.ts';
import { migrateKeys } from '../../infra/cluster/keys/index/migrate.ts';
import { accountRows } from '../../infra/cluster/redis/accounts/verifiable-accounts.ts';
import { openRedisAdmission } from '../../infra/cluster/redis/admission/admission.ts';
import { makeFailureCounter } from '../../infra/cluster/redis/failure-counter.ts';
import { makeRateLimiter } from '../../infra/cluster/redis/rate-limiter.ts';
import { connectServedRows, type OneGeneration } from '../../infra/cluster/served-rows.ts';
import { watchSigningKeys } from '../../infra/secrets/watched-signing-keys.ts';
import { type Generational, PROJECTIONS } from '../../projections/all.ts';
import { answersCalls, type ClusterConfig, type Config } from '../../schemas/config.ts';
import { makeSettledUntil } from '../use-cases/recall/receipt/settled-until.ts';
import { PROJECTOR_GROUP } from '../workers/projector/group.ts';
import { type Adapters, openAdapters } from './adapters.ts';
import { makeEngines } from './engines.ts';
import { startIndexSearcher } from './index-searcher.ts';
import { PROJECTION_MIGRATIONS } from './projections.ts';
import { startRoles } from './roles.ts';

/**
 * The most acknowledged but unsettled turns of an organization; beyond it, the organization's writes are
 * refused.
 */
const MOST_TAIL = 50_000;
const MOST_TAIL_BYTES = 64 * 1024 * 1024;

/**
 * Creates the topics, the index and the tables that are missing; reports each thing that it created. Creates
 * nothing where what is there is of another format.
 */
export const migrateEngines = async (
  config: ClusterConfig,
  report: (made: string) => void,
): Promise<void> => {
  await assertIndexFormat(config);
  await assertTableFormat(config);
  for (const migrate of [migrateTopics, ...PROJECTION_MIGRATIONS, migrateKeys])
    for (const made of await migrate(config)) report(made);
};

export const openEngines = async (config: Config, logger: Log, clockOffset: number): Promise<Engines> => {
  const cluster = config.cluster!;
  const closers = makeClosers();
  try {
    if (cluster.migrateAtStart) await migrateEngines(cluster, made => logger.info(made));
    const signing = await watchSigningKeys({ dataDir: config.dataDir, file: config.signingKeys }, err =>
      logger.error({ err }, 'the signing keys could not be read; they stay as they were'),
    );
    closers.add(signing.close);
    const adapters = await openAdapters(config, logger, clockOffset, closers);
    const stores = openStores(adapters, cluster);
    // The search thread loads while the roles join their groups.
    const searcher = answersCalls(config)
      ? startIndexSearcher(cluster, {
          table: adapters.table,
          clockOffset,
          rerank: config.rerank,
          hasReader: config.reader === 'yes',
          log: logger,
        })
      : undefined;
    if (searcher) closers.add(searcher.close);
    const roles = await startRoles({
      config,
      logger,
      adapters,
      closers,
      ...stores,
      accounts: stores.accounts.store,
    });
    await searcher?.started;
    return makeEngines({ signingKeys: signing.keys, adapters, stores, roles, searcher, closers });
  } catch (error) {
    await closers.close();
    throw error;
  }
};

const openStores = (adapters: Adapters, cluster: ClusterConfig) => {
  const { namespace, clock, log, recall, usage, registry, generational, gate, keys, tail } = adapters;
  const accounts = adapters.accountsOn(gate.redis);
  const admission = openRedisAdmission({
    gate,
    namespace,
    tail,
    clock,
    isIndexed: recall.isIndexed,
    partitions: cluster.partitions,
    mostTail: MOST_TAIL,
    mostTailBytes: MOST_TAIL_BYTES,
  });
  const days = cluster.usageRetentionDays;
  const projectedUntil = makeSettledUntil({
    log,
    settled: () => log.committed(PROJECTOR_GROUP),
    topics: PROJECTIONS.usage.topics,
    clock,
  });
  const rowsOf = {
    positions: () => log.committed(PROJECTOR_GROUP),
    generational,
    serving: async (projection: Generational) => {
      const registered = await registry.read(projection);
      return (registered && servingOf(registered)?.number) ?? 1;
    },
    others: { accounts: accountRows(accounts.list) },
  };
  return {
    keys,
    decode: makeDecode(keys),
    admission,
    usage: {
      reader: makeUsageReader({
        recent: async (org, days) => {
          const tokens = await admission.billed(org, days);
          return new Map(days.map((day, i) => [day, tokens[i]!]));
        },
        stored: usage,
        projectedUntil,
        clock,
      }),
      split: usage.split,
      ledger: { projectedUntil, firstDay: usage.firstDay, events: usage.events },
    },
    accounts: {
      store: accounts,
      failureCounter: makeFailureCounter({ redis: gate.redis, namespace }),
      rateLimiter: makeRateLimiter({ redis: gate.redis, namespace }),
      upTo: adapters.agreedClock.upTo,
    },
    connectRows: (only: OneGeneration | undefined) => {
      const firstDay = days > 0 ? utcDay(clock() - days * DAY_MS) : undefined;
      return connectServedRows({ ...rowsOf, firstDay }, only);
    },
  };
};
