/**
 * The shared engines of the mode `cluster`, and the part that this process plays on them: answering calls, projecting,
 * enriching, or all of it. Part of the composition root: nothing else opens an adapter.
 */
import { readFileSync } from 'node:fs';
import { migrateUsage } from '../infra/cluster/clickhouse-tables.ts';
import { openUsageStore } from '../infra/cluster/clickhouse-usage-store.ts';
import { migrateIndex } from '../infra/cluster/elasticsearch-index.ts';
import { openElasticsearchIndex } from '../infra/cluster/elasticsearch-recall-index.ts';
import { openKafkaLog } from '../infra/cluster/kafka-log.ts';
import { migrateTopics } from '../infra/cluster/kafka-topics.ts';
import { openLogKeyStore } from '../infra/cluster/log-key-store.ts';
import { makeProjectionStore } from '../infra/cluster/projection-store.ts';
import { openRedisAccountStore } from '../infra/cluster/redis-account-store.ts';
import { openRedisAdmission, type RebuiltFrom } from '../infra/cluster/redis-admission.ts';
import type { RedisClient } from '../infra/cluster/redis-client.ts';
import { makeFailureCounter } from '../infra/cluster/redis-failure-counter.ts';
import { openRedis } from '../infra/cluster/redis-gate.ts';
import { rebuildAdmission } from '../infra/cluster/redis-rebuild.ts';
import { makeUsageReader } from '../infra/cluster/usage-reader.ts';
import { readInstallationKey } from '../infra/secret-files.ts';
import type { AccountEvent } from '../projections/accounts/projection.ts';
import { makeRulesExtractor, RULES_EXTRACTOR_VERSION } from '../projections/extraction/extract.ts';
import { decodeDocument } from '../projections/language/codec.ts';
import { makeLanguage } from '../projections/language/language.ts';
import { makeRecallProjection } from '../projections/recall/projection.ts';
import { projectUsage } from '../projections/usage/projection.ts';
import type { ClusterConfig, Config } from '../schemas/config.ts';
import { makeBreathe } from './breathe.ts';
import type { Engines } from './engines.ts';
import { ENRICHER_GROUP, joinEnrichers } from './enricher/shared.ts';
import { encodeEvent, makeDecode } from './events.ts';
import { loggedOf } from './ingest/remember-logged.ts';
import { lagGauges } from './lag.ts';
import type { Log } from './log.ts';
import type { Consumer } from './ports.ts';
import { assertRuns, makeProgress } from './progress.ts';
import { joinProjectors, PROJECTOR_GROUP } from './projector/shared.ts';
import { utcDay } from './quota.ts';
import { readEvents } from './read-events.ts';
import { makeSearch } from './recall/search.ts';

/** Acknowledged turns of an organization that the index doesn't show yet; with more, its writes are refused. */
const MOST_TAIL = 50_000;
/** Closed days are rolled up this often; any projector may do it. */
const ROLL_UP_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Makes the topics, the index and the tables that are missing; tells of each thing that was made, in words. */
export const migrateEngines = async (config: ClusterConfig, say: (made: string) => void): Promise<void> => {
  for (const migrate of [migrateTopics, migrateIndex, migrateUsage])
    for (const made of await migrate(config)) say(made);
};

const loadLanguage = () =>
  makeLanguage(readFileSync(new URL('../projections/language/static-vectors.bin', import.meta.url)));

export const openEngines = async (config: Config, logger: Log, clockOffset: number): Promise<Engines> => {
  const cluster = config.cluster!;
  const { namespace } = cluster;
  const { role } = config;
  const clock = (): number => Date.now() + clockOffset;
  const installationKey = readInstallationKey(cluster.installationKey);
  const onTrouble =
    (engine: string) =>
    (error: unknown): void =>
      logger.warn({ engine, reason: error instanceof Error ? error.message : 'unknown fault' }, 'trouble');

  if (cluster.migrateAtStart) await migrateEngines(cluster, made => logger.info(made));
  const closers: (() => Promise<unknown> | unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    const language = loadLanguage();
    const log = await openKafkaLog(cluster, { clientId: `turnstone-${role}`, onTrouble: onTrouble('kafka') });
    closers.push(() => log.close());
    const recall = openElasticsearchIndex({
      config: cluster,
      decodeDocument,
      analyse: language.analyse,
      makeBreathe,
    });
    closers.push(() => recall.close());
    const usage = openUsageStore({ config: cluster, clock });
    closers.push(() => usage.close());

    const keysOn = (redis: RedisClient) => openLogKeyStore({ redis, namespace, log, installationKey });
    const accountsOn = (redis: RedisClient) =>
      openRedisAccountStore({ redis, namespace, log, encode: event => encodeEvent(event), clock });

    /** A Redis that was wiped, or came back without its last second: all of ours from the log and the usage store. */
    const rebuild = async (redis: RedisClient, epoch: string): Promise<RebuiltFrom> => {
      const keys = keysOn(redis);
      await keys.restore();
      const decode = makeDecode(keys);
      const { apply } = accountsOn(redis);
      for await (const events of readEvents({ log, decode }, ['accounts'], {}, await log.ends())) {
        await apply(events as unknown as AccountEvent[]);
      }
      const facts = await rebuildAdmission({
        inside: redis,
        epoch,
        namespace,
        clock,
        committed: () => log.committed(PROJECTOR_GROUP),
        ends: log.ends,
        readLogged: async function* (from, to) {
          for await (const events of readEvents({ log, decode }, ['turns', 'usage'], from, to))
            yield events.map(loggedOf);
        },
        totals: below => usage.totals(latestDays(clock()), below),
        isBilled: usage.has,
      });
      logger.info({ epoch }, 'Redis was rebuilt from the log');
      await keys.close();
      return facts;
    };
    const gate = openRedis({ config: cluster, rebuild, onTrouble: onTrouble('redis') });
    closers.push(() => gate.close());

    const keys = keysOn(gate.redis);
    closers.push(() => keys.close());
    const accounts = accountsOn(gate.redis);
    const admission = openRedisAdmission({
      gate,
      namespace,
      clock,
      isIndexed: recall.isIndexed,
      mostTail: MOST_TAIL,
    });
    const decode = makeDecode(keys);

    const projector = makeProgress('projector', logger);
    const enricher = makeProgress('enricher', logger);
    const consumers: Consumer[] = [];
    if (role === 'all' || role === 'projector') {
      const { apply } = makeProjectionStore({ recall: recall.store, usage, accounts, admission });
      const consumer = await joinProjectors({
        log,
        store: { apply },
        decode,
        folds: {
          recall: makeRecallProjection(language),
          usage: projectUsage,
          accounts: event => (event.topic === 'accounts' ? [event as unknown as AccountEvent] : []),
          logged: event => (event.topic === 'turns' || event.topic === 'usage' ? [loggedOf(event)] : []),
        },
        topics: ['accounts', 'usage', 'turns', 'observations'],
        onApplied: applied => projector.receive({ kind: 'progress', ...applied }),
        onStopped: reason => projector.receive({ kind: 'stopped', reason }),
        onTrouble: error => projector.receive({ kind: 'trouble', message: messageOf(error) }),
      });
      consumers.push(consumer);
      const rollUp = setInterval(() => {
        usage.rollUpDue().catch(onTrouble('clickhouse'));
      }, ROLL_UP_EVERY_MS).unref();
      closers.push(() => clearInterval(rollUp));
    }
    if (role === 'all' || role === 'enricher') {
      const consumer = await joinEnrichers({
        log,
        keys,
        decode,
        extractor: { version: RULES_EXTRACTOR_VERSION, source: 'rules', extract: makeRulesExtractor() },
        clock,
        onEnriched: ({ positions, turns }) =>
          enricher.receive({ kind: 'progress', positions, events: turns, deadLetters: 0 }),
        onTrouble: error => enricher.receive({ kind: 'trouble', message: messageOf(error) }),
      });
      consumers.push(consumer);
    }
    closers.push(() => Promise.all(consumers.map(consumer => consumer.close())));

    const lag = lagGauges({
      log,
      projector,
      enricher,
      projected: () => log.committed(PROJECTOR_GROUP),
      enriched: () => log.committed(ENRICHER_GROUP),
    });
    const probes: Engines['probes'] = {
      kafka: async () => {
        await log.ends();
        return 'answers';
      },
      elasticsearch: async () => {
        await recall.ping();
        return 'answers';
      },
      clickhouse: async () => {
        await usage.ping();
        return 'answers';
      },
      redis: async () => {
        gate.generation();
        await gate.redis.ping();
        return 'answers';
      },
    };
    if (role === 'all' || role === 'projector') {
      probes.projector = async () => {
        assertRuns(projector);
        return 'runs';
      };
    }
    if (role === 'all' || role === 'enricher') {
      probes.enricher = async () => {
        assertRuns(enricher);
        return 'runs';
      };
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
      jobs: recall.index,
      search: makeSearch({ index: recall.index, language }),
      accounts,
      failureCounter: makeFailureCounter({ redis: gate.redis, namespace }),
      caughtUp: gate.opened(),
      // Whatever can't be answered says so itself: the gate, an engine that is away.
      isCaughtUp: () => true,
      probes,
      gauges: lag,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Those that Redis counts, and one more on both sides: clocks differ. */
const latestDays = (now: number): { from: string; to: string } => ({
  from: utcDay(now - 4 * DAY_MS),
  to: utcDay(now + DAY_MS),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown fault');
