import { type Decode, openKeysOf } from '../../core/log/events.ts';
import { loggedOf } from '../../core/log/logged.ts';
import type { Watch } from '../../core/ports/engines.ts';
import type { AccountStore, Consumer, KeyStore } from '../../core/ports.ts';
import { HOUR_MS } from '../../core/time.ts';
import type { Closers } from '../../core/timing/closers.ts';
import type { Log } from '../../core/watch/logger.ts';
import type { SubStores } from '../../infra/cluster/projection-store.ts';
import { makeProjections, PROJECTED_TOPICS, PROJECTIONS } from '../../projections/all.ts';
import type { Config, Role } from '../../schemas/config.ts';
import { readSetAside } from '../operations/dead-letters/letters.ts';
import { joinConsumers, type WatchedConsumer } from '../workers/consumer.ts';
import { consumersOf } from '../workers/consumers.ts';
import { startExpiredKeys } from '../workers/expired-keys.ts';
import { makeExpiryShare } from '../workers/expiry-share.ts';
import { startExpirySweep } from '../workers/expiry-sweep.ts';
import { probeHeldBack } from '../workers/held-back.ts';
import { startKeySweep } from '../workers/key-sweep.ts';
import { makeProgress, type Progress, runs } from '../workers/progress.ts';
import { joinProjectors, PROJECTOR_GROUP } from '../workers/projector/group.ts';
import { troubleOf } from '../workers/report.ts';
import { keepAccountIndex } from './accounts/account-index.ts';
import type { Adapters } from './adapters.ts';
import { closeSegments } from './upkeep/close-segments.ts';
import { joinWhenWhole } from './upkeep/join-when-whole.ts';
import { joinKeyIndexing, KEY_INDEX_GROUP, keepKeyIndex } from './upkeep/key-index.ts';
import { keepOwnFilesClean } from './upkeep/own-files.ts';

/** Closed days are rolled up at this interval, and soon after a start; any projector may do it. */
const ROLL_UP_EVERY_MS = 3_600_000;
const FIRST_ROLL_UP_MS = 60_000;
/**
 * How often segments are closed. Destroyed keys leave the brokers' disks at most this much later than by
 * their own settings (infra/cluster/kafka/topics/compaction.ts).
 */
const CLOSE_SEGMENTS_EVERY_MS = 3_600_000;
/** How long the last wait counts as current: a batch that waits is retried within five seconds. */
const WAITS_MS = 15_000;
/** How often a projector looks for deletions to repeat, its own or those of a process that ended. */
const DELETE_DUE_EVERY_MS = 10_000;

/** How often a projector looks for expired data. */
const SWEEP_EVERY_MS = 10_000;
/** Entries of the audit log end by days. */
const SWEEP_AUDIT_EVERY_MS = 3_600_000;

/** The consumers of the log and their progress; a consumer that doesn't run in this process has no probe. */
export interface Roles {
  projector: Progress;
  /** The consumer that writes the index of the keys; it runs where the projector runs. */
  keyIndex: Pick<WatchedConsumer, 'progress' | 'positions'>;
  consumers: readonly WatchedConsumer[];
  probes: Watch['probes'];
}

export interface RolesPorts extends Pick<SubStores, 'admission'> {
  accounts: SubStores['accounts'] & Pick<AccountStore, 'get'>;
  config: Config;
  logger: Log;
  adapters: Adapters;
  keys: Pick<KeyStore, 'byId' | 'sweep' | 'replace' | 'destroyKeys'>;
  decode: Decode;
  closers: Closers;
}

/** Starts the consumers of the log that this process's role names. */
export const startRoles = async (ports: RolesPorts): Promise<Roles> => {
  const { config, logger, adapters, closers } = ports;
  const { log, clock, openChat, openEmbeddings } = adapters;
  const probes: Watch['probes'] = {};
  const isOurs = (role: Role): boolean => config.role === 'all' || config.role === role;
  const projector = makeProgress('projector', logger);
  const keyIndex = {
    progress: makeProgress('key index', logger),
    positions: () => log.committed(KEY_INDEX_GROUP),
  };
  if (isOurs('projector')) {
    const { probe, close } = startProjector(ports, projector);
    closers.add(close);
    probes.projector = probe;
    probes.expiries = probeHeldBack(projector);
    closers.add((await startKeyIndexing(ports, keyIndex.progress)).close);
    probes.keys = runs(keyIndex.progress);
  }
  const consumers = consumersOf(config).map(definition => ({
    definition,
    progress: makeProgress(definition.name, logger),
    positions: () => log.committed(definition.group),
  }));
  for (const { definition, progress } of consumers.filter(one => isOurs(one.definition.role))) {
    const { keys, decode } = ports;
    const joined = await joinConsumers(definition, {
      log,
      keys,
      decode,
      openChat,
      openEmbeddings,
      clock,
      report: progress.receive,
    });
    closers.add(joined.close);
    probes[definition.name] = runs(progress);
  }
  return { projector, keyIndex, consumers, probes };
};

/** Writes the index of the keys, and removes entries that nobody needs any more. */
const startKeyIndexing = async (
  { logger, adapters, keys }: RolesPorts,
  progress: Progress,
): Promise<{ close(): Promise<void> }> => {
  const joined = await joinKeyIndexing({ ...adapters, progress });
  const upkeep = keepKeyIndex(adapters);
  const sweep = startKeySweep(keys, logger);
  return {
    close: async () => {
      await Promise.all([sweep.close(), upkeep.close()]);
      await joined.close();
    },
  };
};

/** Starts a projector in this process, as one of the group, once the log was found whole. */
const startProjector = (
  { config, logger, adapters, accounts, admission, keys, decode }: RolesPorts,
  progress: Progress,
): { probe: () => Promise<string>; close: () => Promise<void> } => {
  const {
    log,
    clock,
    accountIndex,
    logGuard,
    storeGuard,
    language,
    recall,
    usage,
    audit,
    activity,
    projectionStore,
    repairs,
    onTrouble,
    onWaits,
    agreedClock,
  } = adapters;
  /** Why the projector waits, and when that was last reported. */
  let waits: { reason: string; at: number } | undefined;
  const setAside = new Map<string, string>();
  const readLetters = async (): Promise<void> => {
    for (const [address, reason] of await readSetAside(log)) setAside.set(address, reason);
  };
  const join = async (): Promise<Consumer> => {
    await readLetters();
    const consumer = await joinProjectors({
      log,
      store: projectionStore({ accounts, admission }),
      decode,
      prepare: records => openKeysOf(keys, records),
      projections: makeProjections(language),
      logged: event =>
        PROJECTIONS.usage.topics.some(topic => topic === event.topic) ? [loggedOf(event)] : [],
      topics: PROJECTED_TOPICS,
      linksSince: () => clock() - HOUR_MS,
      onApplied: applied => progress.receive({ ...applied, kind: 'progress' }),
      limits: config.poisonLimits,
      organizations: async () => (await repairs.organizations()).length,
      setAside,
      onStopped: progress.receive,
      onTrouble: error => progress.receive(troubleOf(error)),
      onWaits: reason => {
        if (waits?.reason !== reason) onWaits(reason);
        waits = { reason, at: performance.now() };
      },
      // Records that were set aside are read again after a rewind: don't set them aside twice.
      onRewind: readLetters,
    });
    storeGuard.onLacking(consumer.rewind);
    return consumer;
  };
  const joining = joinWhenWhole(logGuard, join, error => progress.receive(troubleOf(error)));
  const indexing = joinWhenWhole(
    logGuard,
    () => keepAccountIndex({ log, decode, index: accountIndex, clock, logger }),
    onTrouble('kafka'),
  );
  const isWaiting = (): boolean => waits !== undefined && performance.now() - waits.at < WAITS_MS;
  const rollUp = (): void => {
    for (const { rollUpDue } of [usage, activity]) void rollUpDue().catch(onTrouble('clickhouse'));
  };
  const close = (): void => void closeSegments(log, config.cluster!.partitions).catch(onTrouble('kafka'));
  let isDeleting = false;
  /** One call at a time: a large deletion takes longer than the interval. */
  const deleteDue = async (): Promise<void> => {
    if (isDeleting) return;
    isDeleting = true;
    await recall.deleteDue().catch(onTrouble('elasticsearch'));
    isDeleting = false;
  };
  const { upTo } = agreedClock;
  const sweeping = startExpirySweep(
    recall,
    { clock, upTo, everyMs: SWEEP_EVERY_MS },
    onTrouble('elasticsearch'),
  );
  const sweepingAudit = startExpirySweep(
    audit,
    { clock, upTo, everyMs: SWEEP_AUDIT_EVERY_MS },
    onTrouble('clickhouse'),
  );
  const destroying = startExpiredKeys(
    {
      ...{ swept: recall.swept, keys, log, positions: () => log.committed(PROJECTOR_GROUP), clock, upTo },
      share: makeExpiryShare({
        counts: adapters.expiryCounts,
        sessions: recall.swept.sessions,
        organization: org => accounts.get('organization', org),
        percent: config.expiriesPerDay,
      }),
    },
    {
      onDestroyed: sessions => logger.info({ sessions }, 'keys of expired sessions were destroyed'),
      onHeld: held => progress.receive({ kind: 'held back', held: new Map(held) }),
    },
    onTrouble('elasticsearch'),
  );
  const ownFiles = keepOwnFilesClean(adapters.ownFiles, logger);
  const timers = [
    setTimeout(rollUp, FIRST_ROLL_UP_MS).unref(),
    setInterval(rollUp, ROLL_UP_EVERY_MS).unref(),
    setInterval(deleteDue, DELETE_DUE_EVERY_MS).unref(),
    setTimeout(close, FIRST_ROLL_UP_MS).unref(),
    setInterval(close, CLOSE_SEGMENTS_EVERY_MS).unref(),
  ];
  return {
    // Waiting is not unhealthy: a process that also answers calls keeps answering, since unprojected turns
    // are in the tail.
    probe: async () => {
      if (!joining.hasJoined()) return `waits: ${logGuard.faults()?.join('; ') || 'the log is checked'}`;
      return isWaiting() ? `waits: ${waits!.reason}` : runs(progress)();
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all([sweeping.close(), sweepingAudit.close()]);
      await destroying.close();
      await ownFiles.close();
      await indexing.close();
      await joining.close();
    },
  };
};
