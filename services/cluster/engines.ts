import { setTimeout as pause } from 'node:timers/promises';
import { type Decode, openKeysOf, type Prepare } from '../../core/log/events.ts';
import { isBelow } from '../../core/log/positions.ts';
import { makePaidLog } from '../../core/payers/paid-log.ts';
import { makeTill } from '../../core/payers/till.ts';
import type { AccountEngines, Engines, Watch } from '../../core/ports/engines.ts';
import type { Admission, SigningKeys } from '../../core/ports.ts';
import { makeCursorSeal } from '../../core/sealed-cursors.ts';
import type { Closers } from '../../core/timing/closers.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import { makeDeadLetterCalls } from '../operations/dead-letters/dead-letter-calls.ts';
import { makeRemovalCalls } from '../operations/removals/removal-calls.ts';
import { makeRewrapCall } from '../operations/rewrap-call.ts';
import { makeVerifyCall } from '../operations/verify/call.ts';
import { makeSettledUntil } from '../use-cases/recall/receipt/settled-until.ts';
import type { Searcher } from '../use-cases/recall/searcher.ts';
import { makeExportChunks } from '../use-cases/transfer/chunk.ts';
import { progressOf } from '../workers/consumers.ts';
import { heldBackGauges } from '../workers/held-back.ts';
import { deadLetterGauges, lagGauges } from '../workers/lag-gauges.ts';
import { PROJECTOR_GROUP } from '../workers/projector/group.ts';
import { accountIndexGauge } from './accounts/account-index.ts';
import type { Adapters } from './adapters.ts';
import { type ClusterVerifyPorts, makeClusterVerify } from './cluster-verify.ts';
import { watchGenerations } from './generations-state.ts';
import { replayCalls } from './replay/replay-calls.ts';
import type { Roles } from './roles.ts';

/** How often the projectors' positions are read while a caller waits for them. */
const ASK_AGAIN_MS = 50;
/** Streams show settled events within this time. */
const FEED_EVERY_MS = 400;
/** A new webhook begins within this time, and so does one whose process ended, once its lease has. */
const WEBHOOKS_EVERY_MS = 3_000;
/** An export uses half of the time of the thread that answers, at most. */
const EXPORT_RESTS_MS = 10;

/**
 * Every call is authenticated by what Redis holds, and writes and recalls are admitted there. Without Kafka
 * the API still answers lists and usage; without Elasticsearch writes; without ClickHouse all but the usage
 * of earlier days.
 */
const NEEDED_BY_API = ['redis'];
/**
 * These roles repair a store that lacks events, so they run without it. A wrong clock, and expiries that are
 * held back, stop sweeps alone.
 */
const NOT_NEEDED = ['stores', 'clock', 'expiries'];

/** Returns the names of the probes without which a process can do nothing that its roles are for. */
export const neededOf = (answersCalls: boolean, probes: Watch['probes']): string[] =>
  answersCalls ? NEEDED_BY_API : Object.keys(probes).filter(name => !NOT_NEEDED.includes(name));

/** The stores that use several adapters. */
export interface Stores {
  keys: Engines['keys'];
  decode: Decode;
  admission: Admission;
  usage: Engines['usage'];
  accounts: Omit<AccountEngines, 'signingKeys'>;
  /** Connects to the rows of the serving generations, or of one generation only. */
  connectRows: ClusterVerifyPorts['connectRows'];
}

/** The engines that the stages of open.ts have opened. */
export interface Opened {
  signingKeys: SigningKeys;
  adapters: Adapters;
  stores: Stores;
  roles: Roles;
  /** Set only where calls are answered. */
  searcher: Searcher | undefined;
  closers: Closers;
}

/** Makes what the services get: ports, probes, gauges and operator calls. */
export const makeEngines = (opened: Opened): Engines => {
  const { signingKeys, adapters, stores, roles, searcher, closers } = opened;
  const { clock, log, logGuard, storeGuard, recall, gate, language } = adapters;
  const { keys, decode, admission, connectRows } = stores;
  const prepare: Prepare = records => openKeysOf(adapters.keys, records);
  const positions = () => log.committed(PROJECTOR_GROUP);
  const verify = makeClusterVerify({ log, decode, prepare, language, clock, connectRows });
  const generations = watchGenerations(adapters.registry);
  const probes = {
    ...enginesOf(adapters),
    log: logGuard.probe,
    generations: generations.probe,
    stores: storeGuard.probe,
    clock: adapters.agreedClock.probe,
    ...roles.probes,
    ...(searcher && { recall: searcher.probe }),
  };
  // The engines' disks are their operators': Redis' memory is asked when turns are admitted.
  const pay = makeTill({ limiter: stores.accounts.rateLimiter, shortage: () => undefined });
  return {
    log: makePaidLog(log, pay),
    pay,
    keys,
    cursors: makeCursorSeal(adapters.installation),
    admission,
    decode,
    memory: {
      search: searcher?.search ?? unasked,
      find: searcher?.find ?? unasked,
      embeddings: adapters.embeddings,
      details: recall.details,
      listing: recall.listing,
      feed: { index: recall.feedOf(positions), log, everyMs: FEED_EVERY_MS },
      settled: async (addresses, signal) => {
        while (!isBelow(await positions(), addresses)) await pause(ASK_AGAIN_MS, undefined, { signal });
      },
      begunErasures: adapters.begunErasures,
      settledUntil: makeSettledUntil({ log, settled: positions, topics: PROJECTIONS.recall.topics, clock }),
    },
    usage: stores.usage,
    audit: adapters.audit,
    activity: adapters.activity,
    accounts: { ...stores.accounts, signingKeys },
    webhooks: { ...adapters.webhooks, everyMs: WEBHOOKS_EVERY_MS },
    transfer: {
      log,
      exportChunks: makeExportChunks({ log, decode, prepare, restMs: EXPORT_RESTS_MS }),
      // The projectors report everything that they read in the log to Redis.
      imported: async () => {},
    },
    watch: {
      caughtUp: gate.opened(),
      // The gate and unreachable engines report by themselves that they can't answer.
      isCaughtUp: () => true,
      probes,
      needed: neededOf(searcher !== undefined, probes),
      enrichmentWaitsFor: () => progressOf(roles.consumers, 'enricher').waitsFor(),
      gauges: [
        ...lagGauges(log, { progress: roles.projector, positions }, roles.consumers, roles.keyIndex),
        ...('projector' in roles.probes
          ? [...deadLetterGauges(roles.projector), ...heldBackGauges(roles.projector)]
          : []),
        generations.gauge,
        logGuard.gauge,
        storeGuard.gauge,
        accountIndexGauge(log, adapters.accountIndex),
        ...roles.consumers
          .filter(({ definition }) => definition.name in roles.probes)
          .flatMap(({ definition, progress }) => definition.gauges?.(progress) ?? []),
      ],
    },
    operatorCalls: {
      ...replayCalls(adapters, decode, verify),
      ...makeDeadLetterCalls({ log, decode }),
      // The projectors do it, which may not run yet.
      ...makeRemovalCalls({ log, applied: async () => false }),
      rewrapKeys: makeRewrapCall(adapters.installation, adapters.keys),
      verify: makeVerifyCall(verify),
    },
    close: closers.close,
  };
};

/** Never called: a process that answers no calls has no route to it. */
const unasked = async (): Promise<never> => {
  throw new Error('this process answers no calls');
};

const answers = (version: string | undefined): string =>
  version === undefined ? 'answers' : `answers, version ${version}`;

const enginesOf = ({ log, recall, usage, gate }: Adapters): Watch['probes'] => ({
  kafka: () => log.ends().then(() => 'answers'),
  elasticsearch: () => recall.ping().then(answers),
  clickhouse: () => usage.ping().then(answers),
  redis: async () => {
    gate.generation();
    await gate.redis.ping();
    return 'answers';
  },
});
