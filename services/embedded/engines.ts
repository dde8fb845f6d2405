import type { EmbeddedAdmission } from '../../infra/embedded/admission/admission.ts';
import type { TailBound, Unsettled } from '../../infra/embedded/admission/unsettled.ts';
import type { DiskRoom } from '../../infra/embedded/disk-room.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import type { Closers } from '../core/closers.ts';
import { unavailable } from '../core/errors.ts';
import type { Decode } from '../core/log/events.ts';
import type { InstallationKeys } from '../core/log/installation-keys.ts';
import { loggedOf } from '../core/log/logged.ts';
import { isBelow } from '../core/log/positions.ts';
import type { VerifyMessage } from '../core/operator/verification.ts';
import type { Engines } from '../core/ports/engines.ts';
import type { KeyStore, PolledLog, SigningKeys } from '../core/ports.ts';
import { HOUR_MS, utcDay } from '../core/time.ts';
import { makeTokenBuckets } from '../core/token-buckets.ts';
import { makeDeadLetterCalls } from '../operations/dead-letters/calls.ts';
import type { VectorsOfLog } from '../operations/generations/until-embedded.ts';
import { makeRewrapCall } from '../operations/rewrap-call.ts';
import { makeVerifyCall } from '../operations/verify/call.ts';
import type { VerifyOptions } from '../operations/verify/verify.ts';
import { makeSettledUntil } from '../use-cases/recall/settled-until.ts';
import type { WatchedConsumer } from '../workers/consumer.ts';
import { progressOf } from '../workers/consumers.ts';
import { deadLetterGauges, lagGauges } from '../workers/gauges.ts';
import { assertRuns, type Progress, runs } from '../workers/progress.ts';
import type { EmbeddedReaders } from './readers.ts';
import { generationCalls } from './replay/calls.ts';
import type { RunningGenerations } from './replay/generations.ts';
import type { Replays } from './replay/replay.ts';
import type { Exporter } from './threads/export.ts';

export interface EmbeddedEngines extends Engines {
  folder: {
    /** The socket on which the server accepts operators' commands. */
    adminSocket: string;
    /** Writes the first API key to its file. */
    keepApiKey(apiKey: string): Promise<void>;
  };
}

/** What the stages of open.ts have opened. */
export interface Opened {
  /** Unix milliseconds. */
  clock: () => number;
  folder: EmbeddedEngines['folder'];
  signingKeys: SigningKeys;
  installation: InstallationKeys;
  log: PolledLog;
  keys: KeyStore;
  decode: Decode;
  unsettled: Unsettled;
  projector: Progress;
  /** The consumers of the log beside the projector. */
  consumers: readonly WatchedConsumer[];
  /** Where an embedding model is configured, as for `vectors`. */
  embeddings: Engines['embeddings'];
  vectors: VectorsOfLog | undefined;
  generations: RunningGenerations;
  readers: EmbeddedReaders;
  replays: Replays;
  /** Reads what is exported, on its own thread. */
  exporter: Exporter;
  /** Whether the serving generation was written by another release. */
  isFrozen: () => boolean;
  caughtUp: Promise<void>;
  isCaughtUp: () => boolean;
  room: DiskRoom;
  /** An import waits while the tail holds more than this. */
  tailAtStart: TailBound;
  verifyServing(options: VerifyOptions, signal: AbortSignal): AsyncIterable<VerifyMessage>;
  closers: Closers;
}

/** Streams show projected events within this time. */
const FEED_EVERY_MS = 50;
const PATIENCE_MS = 5_000;
const MIB = 1024 * 1024;

/** Makes what the services get: ports, probes, gauges and operator calls. */
export const makeEngines = (opened: Opened): EmbeddedEngines => {
  const { clock, log, decode, projector, consumers, readers, replays, closers } = opened;
  const { admission, details, listing, searcher } = readers;
  const forgetting = setInterval(() => {
    admission.forgetDaysBefore(utcDay(clock() - HOUR_MS));
  }, HOUR_MS).unref();
  closers.add(() => clearInterval(forgetting), opened.exporter.close);
  return {
    folder: opened.folder,
    log,
    keys: opened.keys,
    admission: withinRoom(admission, opened.room),
    usage: admission,
    ledger: {
      projectedUntil: makeSettledUntil({
        log,
        settled: projector.positions,
        topics: PROJECTIONS.usage.topics,
        clock,
      }),
      firstDay: () => undefined,
      events: readers.billedEvents,
    },
    details,
    listing,
    settled: makeSettled(opened),
    settledUntil: makeSettledUntil({
      log,
      settled: projector.positions,
      topics: PROJECTIONS.recall.topics,
      clock,
    }),
    search: searcher.search,
    embeddings: opened.embeddings,
    decode,
    feed: { index: readers.feed, log, everyMs: FEED_EVERY_MS },
    exportChunks: opened.exporter.chunks,
    imported: makeImported(opened, admission),
    accounts: readers.accounts,
    rateLimiter: makeTokenBuckets(),
    signingKeys: opened.signingKeys,
    caughtUp: opened.caughtUp,
    isCaughtUp: opened.isCaughtUp,
    probes: probesOf(opened),
    // Recalls alone wait for the recall thread, and no call for the other consumers.
    needed: ['log', 'projections'],
    enrichmentWaitsFor: () => progressOf(consumers, 'enricher').waitsFor(),
    gauges: gaugesOf(opened),
    operatorCalls: {
      ...generationCalls(replays, opened.vectors),
      ...makeDeadLetterCalls({ log, decode }),
      rewrapKeys: makeRewrapCall(opened.installation, opened.keys),
      verify: makeVerifyCall(opened.verifyServing),
    },
    close: closers.close,
  };
};

/**
 * Refuses turns that would be stored while the disk has less than its reserve. Retries of known turns, recalls and erasures
 * go on: they store little or nothing, and people need them most then.
 */
const withinRoom = (admission: EmbeddedAdmission, room: DiskRoom): EmbeddedAdmission => ({
  ...admission,
  admit: async request => {
    const admitted = await admission.admit(request);
    if (admitted.kind !== 'admitted' || admitted.fresh.size === 0) return admitted;
    const shortage = room.shortage();
    if (shortage === undefined) return admitted;
    await admission.release(admitted.attempt);
    throw unavailable('The disk is nearly full: nothing new is stored.', shortage, 5);
  },
});

const makeSettled =
  ({ isFrozen, replays, projector, generations }: Opened): Engines['settled'] =>
  async addresses => {
    if (isFrozen())
      throw unavailable(
        'The projections are being built by this release: erase when they are.',
        undefined,
        30,
      );
    // No projector writes to a generation whose replay was interrupted: erased data would stay in it.
    replays.dropUnfinished();
    await projector
      .until(positions => isBelow(positions, addresses))
      .catch(cause => {
        throw unavailable('The projections have stopped.', cause);
      });
    // What a damaged file says stays in its copy.
    generations.removeSetAside();
  };

const makeImported =
  (
    { unsettled, projector, decode, tailAtStart, room }: Opened,
    admission: EmbeddedAdmission,
  ): Engines['imported'] =>
  async (records, addresses) => {
    while (!(await unsettled.below(tailAtStart, PATIENCE_MS)))
      if (projector.stopped()) throw unavailable('The projector has stopped.');
    for (const [i, { value, headers = {} }] of records.entries()) {
      const decoded = await decode({ ...addresses[i]!, value, headers });
      if (decoded.kind !== 'events') continue;
      for (const event of decoded.events)
        if (!event.topic.startsWith('observations')) admission.learn(loggedOf(event));
    }
    // What was given is stored; more is not taken.
    const shortage = room.shortage();
    if (shortage !== undefined)
      throw unavailable('The disk is nearly full: the import ends here.', shortage, 5);
  };

const probesOf = ({
  log,
  projector,
  consumers,
  unsettled,
  readers,
  generations,
  replays,
  room,
  isCaughtUp,
}: Opened): Engines['probes'] => ({
  // An empty append makes a round trip to the writer thread.
  log: async () => {
    await log.append([]);
    return 'answers';
  },
  projections: async () => {
    assertRuns(projector);
    if (!isCaughtUp()) throw new Error('catching up with the log');
    return `${unsettled.size()} events behind`;
  },
  recall: readers.searcher.probe,
  ...Object.fromEntries(consumers.map(({ definition, progress }) => [definition.name, runs(progress)])),
  disk: async () => {
    const shortage = room.shortage();
    if (shortage !== undefined) throw new Error(shortage);
    return `${Math.floor(room.free() / MIB)} MiB free above its reserve`;
  },
  generations: async () => [generations.status(), replays.status()].filter(Boolean).join('; '),
});

const gaugesOf = ({ log, projector, consumers, unsettled, generations }: Opened): Engines['gauges'] => [
  {
    name: 'turnstone_tail_events',
    help: 'Acknowledged events that the projections do not show yet',
    read: unsettled.size,
  },
  {
    name: 'turnstone_tail_bytes',
    help: 'About the memory that these events take',
    read: unsettled.bytes,
  },
  {
    name: 'turnstone_generations_dropped',
    help: 'Generations of the projections that failed and were removed, since the start',
    read: generations.dropped,
  },
  ...lagGauges(log, { progress: projector, positions: projector.positions }, consumers),
  ...deadLetterGauges(projector),
  ...consumers.flatMap(({ definition, progress }) => definition.gauges?.(progress) ?? []),
];
