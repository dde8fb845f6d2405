/**
 * The shared engines of the mode `cluster`, and the part that this process plays on them: answering calls, projecting,
 * enriching, or all of it. With the rest of this folder a part of the composition root: nothing else opens an adapter.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { migrateUsage } from '../../infra/cluster/clickhouse/tables.ts';
import { makeUsageReader } from '../../infra/cluster/clickhouse/usage-reader.ts';
import { migrateIndex } from '../../infra/cluster/elasticsearch/index.ts';
import { migrateUsageGenerations } from '../../infra/cluster/elasticsearch/registry.ts';
import { migrateTopics } from '../../infra/cluster/kafka/topics.ts';
import { openRedisAdmission } from '../../infra/cluster/redis/admission.ts';
import { makeFailureCounter } from '../../infra/cluster/redis/failure-counter.ts';
import { connectServedRows } from '../../infra/cluster/served-rows.ts';
import { loadSigningKeys } from '../../infra/secrets/signing-keys.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import type { ClusterConfig, Config } from '../../schemas/config.ts';
import { servingOf } from '../core/generations.ts';
import { makeDecode } from '../core/log/events.ts';
import { isBelow } from '../core/log/positions.ts';
import type { Engines } from '../core/ports/engines.ts';
import { DAY_MS, utcDay } from '../core/time.ts';
import type { Log } from '../core/watch/logger.ts';
import { makeDeadLetterCalls } from '../operations/dead-letters/calls.ts';
import { makeVerifyCall } from '../operations/verify/call.ts';
import { makeSearch } from '../use-cases/recall/search.ts';
import { makeSettledUntil } from '../use-cases/recall/settled-until.ts';
import { extractorGauges } from '../workers/enricher/gauges.ts';
import { ENRICHER_GROUP } from '../workers/enricher/group.ts';
import { deadLetterGauges, lagGauges } from '../workers/gauges.ts';
import { makeProgress, runs } from '../workers/progress.ts';
import { PROJECTOR_GROUP } from '../workers/projector/group.ts';
import { openAdapters } from './adapters.ts';
import { watchGenerations } from './generations-state.ts';
import { replayCalls } from './replay/calls.ts';
import { startEnricher, startProjector } from './roles.ts';
import { makeClusterVerify } from './verify.ts';

/** How often the projectors' positions are asked for while somebody waits for them. */
const ASK_AGAIN_MS = 50;
/** Acknowledged turns of an organization that the index doesn't show yet; with more, its writes are refused. */
const MOST_TAIL = 50_000;

/** Streams hear of what was projected within this time. */
const FEED_EVERY_MS = 400;

/** Makes the topics, the index and the tables that are missing; tells of each thing that was made, in words. */
export const migrateEngines = async (config: ClusterConfig, say: (made: string) => void): Promise<void> => {
  for (const migrate of [migrateTopics, migrateIndex, migrateUsage, migrateUsageGenerations])
    for (const made of await migrate(config)) say(made);
};

export const openEngines = async (config: Config, logger: Log, clockOffset: number): Promise<Engines> => {
  const { role } = config;
  const cluster = config.cluster!;
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    if (cluster.migrateAtStart) await migrateEngines(cluster, made => logger.info(made));
    const signingKeys = await loadSigningKeys({ dataDir: config.dataDir, file: config.signingKeys });
    const adapters = await openAdapters(config, logger, clockOffset, closers);
    const { namespace, clock, log, recall, usage, gate, language } = adapters;
    const keys = adapters.keysOn(gate.redis);
    closers.push(keys.close);
    const accounts = adapters.accountsOn(gate.redis);
    const { isIndexed } = recall;
    const admission = openRedisAdmission({
      gate,
      namespace,
      clock,
      isIndexed,
      partitions: cluster.partitions,
      mostTail: MOST_TAIL,
    });
    const decode = makeDecode(keys);

    const { usageRetentionDays: days } = cluster;
    const verify = makeClusterVerify({
      log,
      decode,
      language,
      clock,
      connectRows: only =>
        connectServedRows(
          {
            config: cluster,
            positions: () => log.committed(PROJECTOR_GROUP),
            servingUsage: async () => {
              const registered = await recall.registry.read('usage');
              return (registered && servingOf(registered)?.number) ?? 1;
            },
            firstDay: days > 0 ? utcDay(clock() - days * DAY_MS) : undefined,
            accounts: kind => accounts.list(kind),
          },
          only,
        ),
    });

    const probes: Engines['probes'] = {
      kafka: () => log.ends().then(() => 'answers'),
      elasticsearch: () => recall.ping().then(() => 'answers'),
      clickhouse: () => usage.ping().then(() => 'answers'),
      redis: async () => {
        gate.generation();
        await gate.redis.ping();
        return 'answers';
      },
    };
    const generations = watchGenerations(recall.registry, {
      recall: PROJECTIONS.recall.version,
      usage: PROJECTIONS.usage.version,
    });
    probes.generations = generations.probe;
    const projector = makeProgress('projector', logger);
    const enricher = makeProgress('enricher', logger);
    if (role === 'all' || role === 'projector') {
      const consumer = await startProjector(
        adapters,
        { accounts, admission },
        decode,
        config.poisonLimits,
        projector,
      );
      closers.push(consumer.close);
      probes.projector = consumer.probe;
    }
    if (role === 'all' || role === 'enricher') {
      const consumer = await startEnricher(adapters, keys, decode, config.extractor, enricher);
      closers.push(consumer.close);
      probes.enricher = runs(enricher);
    }

    return {
      log,
      keys,
      admission,
      usage: makeUsageReader({
        recent: async (org, days) => {
          const tokens = await admission.billed(org, days);
          return new Map(days.map((day, i) => [day, tokens[i]!]));
        },
        stored: usage,
        clock,
      }),
      details: recall.index,
      listing: recall.listing,
      settled: async addresses => {
        while (!isBelow(await log.committed(PROJECTOR_GROUP), addresses)) await pause(ASK_AGAIN_MS);
      },
      search: makeSearch({ index: recall.index, language }),
      settledUntil: makeSettledUntil({ log, projected: () => log.committed(PROJECTOR_GROUP), clock }),
      decode,
      feed: { index: recall.feedOf(() => log.committed(PROJECTOR_GROUP)), log, everyMs: FEED_EVERY_MS },
      // The projectors tell Redis of everything that they meet in the log.
      imported: async () => {},
      accounts,
      signingKeys,
      failureCounter: makeFailureCounter({ redis: gate.redis, namespace }),
      caughtUp: gate.opened(),
      // Whatever can't be answered says so itself: the gate, an engine that is away.
      isCaughtUp: () => true,
      probes,
      enrichmentWaitsFor: enricher.waitsFor,
      gauges: [
        ...lagGauges({
          log,
          projector,
          enricher,
          projected: () => log.committed(PROJECTOR_GROUP),
          enriched: () => log.committed(ENRICHER_GROUP),
        }),
        ...('projector' in probes ? deadLetterGauges(projector) : []),
        generations.gauge,
        ...('enricher' in probes ? extractorGauges(config.extractor, enricher) : []),
      ],
      operatorCalls: {
        ...replayCalls(adapters, decode, verify),
        ...makeDeadLetterCalls({ log, decode }),
        verify: makeVerifyCall(verify),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
