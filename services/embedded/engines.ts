import { unavailable } from '../../core/errors.ts';
import type { Decode } from '../../core/log/events.ts';
import type { InstallationKeys } from '../../core/log/keys/installation-keys.ts';
import { loggedOf } from '../../core/log/logged.ts';
import { isBelow } from '../../core/log/positions.ts';
import type { VerifyMessage } from '../../core/operator/verification.ts';
import { makePaidLog } from '../../core/payers/paid-log.ts';
import { makeTill } from '../../core/payers/till.ts';
import type { Engines, ReadModels, Transfer, Watch } from '../../core/ports/engines.ts';
import type { KeyStore, PolledLog, RateLimiter, SigningKeys, WebhookEngines } from '../../core/ports.ts';
import { makeCursorSeal } from '../../core/sealed-cursors.ts';
import { HOUR_MS, utcDay } from '../../core/time.ts';
import type { Closers } from '../../core/timing/closers.ts';
import type { EmbeddedAdmission } from '../../infra/embedded/admission/admission.ts';
import type { TailBound, Unsettled } from '../../infra/embedded/admission/unsettled.ts';
import type { DiskRoom } from '../../infra/embedded/disk-room.ts';
import type { SureClock } from '../../infra/embedded/sure-clock.ts';
import { PROJECTIONS } from '../../projections/all.ts';
import { makeDeadLetterCalls } from '../operations/dead-letters/dead-letter-calls.ts';
import type { VectorsOfLog } from '../operations/generations/until-embedded.ts';
import { makeRemovalCalls } from '../operations/removals/removal-calls.ts';
import { makeRewrapCall } from '../operations/rewrap-call.ts';
import { makeVerifyCall } from '../operations/verify/call.ts';
import type { VerifyOptions } from '../operations/verify/verify.ts';
import { makeSettledUntil } from '../use-cases/recall/receipt/settled-until.ts';
import type { WatchedConsumer } from '../workers/consumer.ts';
import { progressOf } from '../workers/consumers.ts';
import { probeHeldBack } from '../workers/held-back.ts';
import { assertRuns, type Progress, runs } from '../workers/progress.ts';
import { gaugesOf } from './gauges.ts';
import type { EmbeddedReaders } from './readers.ts';
import { generationCalls } from './replay/folder-calls.ts';
import type { RunningGenerations } from './replay/generations.ts';
import type { Replays } from './replay/replay.ts';
import type { Exporter } from './threads/file-exporter.ts';

export interface EmbeddedEngines extends Engines {
  folder: {
    /** The socket on which the server accepts operators' commands. */
    adminSocket: string;
    /** Writes the first API key to its file. */
    keepApiKey(apiKey: string): Promise<void>;
  };
}

/** The engines that the stages of open.ts have opened. */
export interface Opened {
  /** Unix milliseconds. */
  clock: () => number;
  folder: EmbeddedEngines['folder'];
  room: DiskRoom;
  sureClock: Pick<SureClock, 'probe' | 'upTo'>;
  /** Counts the calls and the unbilled appends of callers. */
  buckets: RateLimiter;
  secrets: { signingKeys: SigningKeys; installation: InstallationKeys };
  log: { log: PolledLog; keys: KeyStore; decode: Decode };
  serving: Serving;
  reading: Reading;
  tail: Pick<Watch, 'caughtUp' | 'isCaughtUp'> & {
    /** An import waits while the tail holds more than this. */
    atStart: TailBound;
  };
  /** The consumers of the log beside the projector. */
  consumers: readonly WatchedConsumer[];
  /**
   * Set where an embedding model is configured: the model as recalls ask it, and how far the turns have their
   * vectors of it.
   */
  model: { embeddings: ReadModels['embeddings']; vectors: VectorsOfLog | undefined };
  webhooks: Pick<WebhookEngines, 'send' | 'deliveries'>;
  threads: {
    /** Reads what is exported. */
    exporter: Exporter;
    verifyServing(options: VerifyOptions, signal: AbortSignal): AsyncIterable<VerifyMessage>;
  };
  closers: Closers;
}

/** A projector for each generation, and what waits for the serving one. */
export interface Serving {
  unsettled: Unsettled;
  projector: Progress;
  generations: RunningGenerations;
}

export interface Reading {
  readers: EmbeddedReaders;
  replays: Replays;
  /** Whether the serving generation was written by another release. */
  isFrozen: () => boolean;
}

/** Streams show projected events within this time. */
const FEED_EVERY_MS = 50;
/** A new webhook begins within this time. */
const WEBHOOKS_EVERY_MS = 1_000;
const PATIENCE_MS = 5_000;

/** Makes what the services get: ports, probes, gauges and operator calls. */
export const makeEngines = (opened: Opened): EmbeddedEngines => {
  const { clock, serving, reading, consumers, secrets, threads, closers } = opened;
  const { log, keys, decode } = opened.log;
  const { projector } = serving;
  const { readers, replays } = reading;
  const { admission, details, listing, searcher } = readers;
  const forgetting = setInterval(() => {
    admission.forgetDaysBefore(utcDay(clock() - HOUR_MS));
  }, HOUR_MS).unref();
  closers.add(() => clearInterval(forgetting), threads.exporter.close);
  const settledUntil = (projection: 'recall' | 'usage') =>
    makeSettledUntil({
      log,
      settled: projector.positions,
      topics: PROJECTIONS[projection].topics,
      clock,
    });
  const rateLimiter = opened.buckets;
  const pay = makeTill({ limiter: rateLimiter, shortage: opened.room.shortage });
  return {
    folder: opened.folder,
    log: makePaidLog(log, pay),
    pay,
    keys,
    cursors: makeCursorSeal(secrets.installation),
    admission,
    decode,
    memory: {
      search: searcher.search,
      find: searcher.find,
      embeddings: opened.model.embeddings,
      details,
      listing,
      feed: { index: readers.feed, log, everyMs: FEED_EVERY_MS },
      settled: makeSettled(opened),
      settledUntil: settledUntil('recall'),
    },
    usage: {
      reader: admission,
      split: readers.splitUsage,
      ledger: {
        projectedUntil: settledUntil('usage'),
        firstDay: () => undefined,
        events: readers.billedEvents,
      },
    },
    audit: readers.audit,
    activity: readers.activity,
    accounts: {
      store: readers.accounts,
      rateLimiter,
      signingKeys: secrets.signingKeys,
      upTo: async () => opened.sureClock.upTo(),
    },
    webhooks: { ...opened.webhooks, everyMs: WEBHOOKS_EVERY_MS },
    transfer: {
      log,
      exportChunks: threads.exporter.chunks,
      imported: makeImported(opened, admission),
    },
    watch: {
      caughtUp: opened.tail.caughtUp,
      isCaughtUp: opened.tail.isCaughtUp,
      probes: probesOf(opened),
      // Recalls alone wait for the recall thread, and no call for the other consumers.
      needed: ['log', 'projections'],
      enrichmentWaitsFor: () => progressOf(consumers, 'enricher').waitsFor(),
      gauges: gaugesOf(opened),
    },
    operatorCalls: {
      ...generationCalls(replays, opened.model.vectors),
      ...makeDeadLetterCalls({ log, decode }),
      ...makeRemovalCalls({ log, applied: (...asked) => makeSettled(opened)(...asked).then(() => true) }),
      rewrapKeys: makeRewrapCall(secrets.installation, keys),
      verify: makeVerifyCall(threads.verifyServing),
    },
    // Its files are its own: it ends what it has begun to write.
    close: () => closers.close(),
  };
};

const makeSettled =
  ({ serving: { projector, generations }, reading: { isFrozen, replays } }: Opened): ReadModels['settled'] =>
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
    // The copy that was kept of a damaged file still holds erased data: remove it.
    generations.removeSetAside();
  };

const makeImported =
  (
    { serving: { unsettled, projector }, log: { decode }, tail, room }: Opened,
    admission: EmbeddedAdmission,
  ): Transfer['imported'] =>
  async (records, addresses) => {
    while (!(await unsettled.below(tail.atStart, PATIENCE_MS)))
      if (projector.stopped()) throw unavailable('The projector has stopped.');
    for (const [i, { value, headers = {} }] of records.entries()) {
      const decoded = await decode({ ...addresses[i]!, value, headers });
      if (decoded.kind !== 'events') continue;
      for (const event of decoded.events)
        if (!event.topic.startsWith('observations')) admission.learn(loggedOf(event));
    }
    // The records so far are stored; no more are accepted.
    const shortage = room.shortage();
    if (shortage !== undefined)
      throw unavailable('The disk is nearly full: the import ends here.', shortage, 5);
  };

const probesOf = ({
  log: { log },
  serving: { projector, unsettled, generations },
  reading: { readers, replays },
  tail,
  consumers,
  room,
  sureClock,
}: Opened): Watch['probes'] => ({
  // An empty append makes a round trip to the writer thread.
  log: async () => {
    await log.append([]);
    return 'answers';
  },
  projections: async () => {
    assertRuns(projector);
    if (!tail.isCaughtUp()) throw new Error('catching up with the log');
    return `${unsettled.size()} events behind`;
  },
  recall: readers.searcher.probe,
  ...Object.fromEntries(consumers.map(({ definition, progress }) => [definition.name, runs(progress)])),
  disk: room.probe,
  clock: sureClock.probe,
  expiries: probeHeldBack(projector),
  generations: async () => [generations.status(), replays.status()].filter(Boolean).join('; '),
});
