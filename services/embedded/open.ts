/**
 * The embedded engines of one data folder, opened in order and closed in reverse: lock, writer thread, projector
 * thread, recall thread, readers, enricher thread. Part of the composition root: nothing else opens an adapter.
 */
import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs';
import { MOST_UNPROJECTED } from '../../infra/embedded/admission/admission.ts';
import { makeUnprojected } from '../../infra/embedded/admission/unprojected.ts';
import { openDataFolder } from '../../infra/embedded/data-folder.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../infra/embedded/log/event-log.ts';
import { connectWriter, startWriter, type Writer } from '../../infra/embedded/log/writer.ts';
import { writeSecret } from '../../infra/secrets/files.ts';
import { loadSigningKeys } from '../../infra/secrets/signing-keys.ts';
import type { Config } from '../../schemas/config.ts';
import { unavailable } from '../core/errors.ts';
import { encodeEvent, makeDecode } from '../core/log/events.ts';
import { loggedOf } from '../core/log/logged.ts';
import { isBelow, positionsIn } from '../core/log/positions.ts';
import type { Engines } from '../core/ports/engines.ts';
import type { Positions, Topic } from '../core/ports.ts';
import { HOUR_MS, utcDay } from '../core/time.ts';
import type { Log } from '../core/watch/logger.ts';
import { within } from '../core/within.ts';
import { makeDeadLetterCalls } from '../operations/dead-letters/calls.ts';
import { makeVerifyCall } from '../operations/verify/call.ts';
import { reportOf, type VerifyOptions } from '../operations/verify/verify.ts';
import { makeSettledUntil } from '../use-cases/recall/settled-until.ts';
import { extractorGauges } from '../workers/enricher/gauges.ts';
import { deadLetterGauges, lagGauges } from '../workers/gauges.ts';
import { assertRuns, makeProgress, runs } from '../workers/progress.ts';
import { catchUp } from './catch-up.ts';
import { type EmbeddedReaders, openReaders } from './readers.ts';
import { generationCalls } from './replay/calls.ts';
import { openGenerations } from './replay/generations.ts';
import { makeReplays } from './replay/replay.ts';
import { startBuild } from './threads/build.ts';
import { makeSharedLoad, reportLoad } from './threads/load.ts';
import { startThread, type Thread } from './threads/start-thread.ts';
import type { ProjectorData, ThreadData, ThreadMessage } from './threads/thread-data.ts';
import { type VerifierData, verifyFile } from './threads/verify.ts';

export interface EmbeddedEngines extends Engines {
  folder: {
    /** Where an operator's commands reach the server. */
    adminSocket: string;
    /** Writes the first API key to its file. */
    keepApiKey(apiKey: string): Promise<void>;
  };
}

/** Streams hear of what was projected within this time. */
const FEED_EVERY_MS = 50;
const PATIENCE_MS = 5_000;
/** Events that the tail may hold at the start; with more to do the projector goes first. */
const TAIL_AT_START = 5_000;
/**
 * After an upgrade the tail holds everything since the old generation stood still, until the new one is built: some 50
 * MB, and ten minutes of 80 writes a second. Beyond it writes are refused.
 */
const MOST_WHILE_FROZEN = 50_000;
/** A decision about accounts is projected within milliseconds. */
const DECIDED_WITHIN_MS = 30_000;

/** Read in place: a copy beside it would be garbage that no collection is due for. */
export const sharedTable = (): SharedArrayBuffer => {
  const file = openSync(new URL('../../projections/language/static-vectors.bin', import.meta.url), 'r');
  try {
    const shared = new SharedArrayBuffer(fstatSync(file).size);
    const bytes = new Uint8Array(shared);
    for (let at = 0; at < bytes.length; ) at += readSync(file, bytes, at, bytes.length - at, at);
    return shared;
  } finally {
    closeSync(file);
  }
};

export const openEngines = async (
  config: Config,
  logger: Log,
  clockOffset: number,
): Promise<EmbeddedEngines> => {
  const folder = openDataFolder(config.dataDir);
  const { paths, installationKey, generations: files } = folder;
  const closers: (() => Promise<unknown> | unknown)[] = [() => folder.release()];
  let closing = false;
  /** Ends what an operator asked for and would go on for long. */
  const ended = new AbortController();
  const close = async (): Promise<void> => {
    closing = true;
    ended.abort();
    for (const closer of closers.splice(0).reverse()) await closer();
  };

  try {
    rmSync(paths.adminSocket, { force: true });
    const signingKeys = await loadSigningKeys({ dataDir: config.dataDir, file: config.signingKeys });
    const writer: Writer = await startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
      logger.fatal({ err: error }, 'the writer thread ended');
    });
    closers.push(() => writer.close());

    const table = sharedTable();
    const load = makeSharedLoad();
    const threadData = (): ThreadData => ({
      paths,
      installationKey,
      table,
      load,
      writer: writer.port(),
      extractor: config.extractor,
      poisonLimits: config.poisonLimits,
      clockOffset,
    });

    const connection = connectWriter(writer.port());
    const log = openEventLog(paths.log, connection);
    const keys = openKeyStore(paths.keys, installationKey, connection);
    closers.push(
      () => log.close(),
      () => keys.close(),
    );

    let readers: EmbeddedReaders | undefined;
    const whenAccountsMove = makeWhenMoved('accounts');
    const unprojected = makeUnprojected();
    const projector = makeProgress('projector', logger, positions => {
      unprojected.projected(positions);
      whenAccountsMove(positions, () => readers?.accounts.projectionMoved());
    });
    const enricher = makeProgress('enricher', logger);
    const startOn = <Data extends ThreadData>(
      name: 'projector' | 'enricher',
      data: Data,
      onMessage: (message: ThreadMessage) => void,
    ): Promise<Thread> => startThread(name, data, [data.writer], onMessage);
    const generations = await openGenerations({
      files,
      log,
      logger,
      projector,
      startProjector: (projections, onMessage) =>
        startOn('projector', { ...threadData(), projections } satisfies ProjectorData, onMessage),
      prepareReaders: projections => readers!.prepare(projections),
      readAccountsIn: projections => readers!.readAccountsIn(projections),
    });
    closers.push(() => generations.close());
    const verifierData = (projections: string, options: VerifyOptions): VerifierData => ({
      paths: { ...paths, projections },
      installationKey,
      table,
      writer: writer.port(),
      options,
      clockOffset,
    });
    const replays = makeReplays({
      files,
      log,
      logger,
      generations,
      startBuild: ({ projections, throttle }, onMessage) =>
        startBuild({ data: threadData, projections, throttle }, onMessage),
      verify: (next, signal) =>
        reportOf(
          verifyFile(verifierData(files.path(next.number), {}), AbortSignal.any([signal, ended.signal])),
        ),
    });
    const isFrozen = (): boolean => generations.serving().isFrozen;

    // What isn't needed to be ready loads when the service nearly is, or it would take the time of what is.
    readers = openReaders({
      projections: files.path(files.names().serving),
      table,
      logger,
      unprojected,
      mostUnprojected: () => (isFrozen() ? MOST_WHILE_FROZEN : MOST_UNPROJECTED),
      accounts: {
        log,
        encode: event => encodeEvent(event),
        projected: (place, offset) =>
          within(
            DECIDED_WITHIN_MS,
            projector.until(positions => (positions[place] ?? 0) > offset),
            () => unavailable('The projection of accounts stands still.'),
          ),
      },
    });
    const { admission, details, listing, feed, accounts, searcher, close: closeReaders } = readers;
    const reporting = reportLoad(load, searcher.eventLoopUtilization, unprojected.size);
    closers.push(
      closeReaders,
      () => clearInterval(reporting),
      // First of these: what it is about to promote still needs the others.
      () => replays.close(),
    );
    const decode = makeDecode(keys);
    if (isFrozen()) replays.runByItself();

    let ready = false;
    const caughtUp = catchUp({
      log,
      decode,
      projector,
      mostInTail: () => (isFrozen() ? MOST_WHILE_FROZEN : TAIL_AT_START),
      remember: unprojected.add,
      isProjected: admission.isBilled,
    }).then(() => {
      ready = true;
    });
    // Whoever waits hears of a failure; the process must not die of it before somebody does.
    caughtUp.catch(error => logger.error({ err: error }, 'catching up with the log failed'));
    // Nobody waits for the enricher, and on few cores all would wait beside it: it starts when the service is ready.
    const startEnricher = async (): Promise<void> => {
      if (closing) return;
      const starting = startOn(
        'enricher',
        threadData(),
        message => message.kind !== 'held' && enricher.receive(message),
      );
      closers.push(() =>
        starting.then(
          started => started.close(),
          () => undefined,
        ),
      );
      await starting;
    };
    caughtUp
      .then(startEnricher, () => undefined)
      .catch(error => logger.error({ err: error }, 'the enricher could not start'));

    const forgetting = setInterval(() => {
      admission.forgetDaysBefore(utcDay(Date.now() + clockOffset - HOUR_MS));
    }, HOUR_MS).unref();
    closers.push(() => clearInterval(forgetting));
    const lag = lagGauges({
      log,
      projector,
      enricher,
      projected: projector.positions,
      enriched: enricher.positions,
    });

    return {
      folder: {
        adminSocket: paths.adminSocket,
        keepApiKey: async apiKey => writeSecret(paths.apiKey, `${apiKey}\n`),
      },
      log,
      keys,
      admission,
      usage: admission,
      details,
      listing,
      settled: async addresses => {
        if (isFrozen())
          throw unavailable(
            'The projections are being built by this release: erase when they are.',
            undefined,
            30,
          );
        // Nobody projects a generation whose replay was broken off: what is erased would stay in it.
        replays.dropUnfinished();
        await projector
          .until(positions => isBelow(positions, addresses))
          .catch(cause => {
            throw unavailable('The projections have stopped.', cause);
          });
      },
      search: searcher.search,
      settledUntil: makeSettledUntil({
        log,
        projected: projector.positions,
        clock: () => Date.now() + clockOffset,
      }),
      decode,
      feed: { index: feed, log, everyMs: FEED_EVERY_MS },
      imported: async (records, addresses) => {
        while (!(await unprojected.below(TAIL_AT_START, PATIENCE_MS)))
          if (projector.stopped()) throw unavailable('The projector has stopped.');
        for (const [i, { value, headers = {} }] of records.entries()) {
          const decoded = await decode({ ...addresses[i]!, value, headers });
          if (decoded.kind === 'event' && !decoded.event.topic.startsWith('observations'))
            admission.learn(loggedOf(decoded.event));
        }
      },
      accounts,
      signingKeys,
      caughtUp,
      isCaughtUp: () => ready,
      probes: {
        // An empty append goes to the writer thread and back.
        log: async () => {
          await log.append([]);
          return 'answers';
        },
        projections: async () => {
          assertRuns(projector);
          if (!ready) throw new Error('catching up with the log');
          return `${unprojected.size()} events behind`;
        },
        recall: async () => {
          const fault = searcher.fault();
          if (fault) throw new Error(fault);
          return 'runs';
        },
        enricher: runs(enricher),
        generations: async () => [generations.status(), replays.status()].filter(Boolean).join('; '),
      },
      enrichmentWaitsFor: enricher.waitsFor,
      gauges: [
        {
          name: 'turnstone_tail_events',
          help: 'Acknowledged events that the projections do not show yet',
          read: unprojected.size,
        },
        {
          name: 'turnstone_generations_dropped',
          help: 'Generations of the projections that failed and were thrown away, since the start',
          read: generations.dropped,
        },
        ...lag,
        ...deadLetterGauges(projector),
        ...extractorGauges(config.extractor, enricher),
      ],
      operatorCalls: {
        ...generationCalls(replays),
        ...makeDeadLetterCalls({ log, decode }),
        verify: makeVerifyCall((options, signal) =>
          verifyFile(
            verifierData(files.path(generations.serving().number), options),
            AbortSignal.any([signal, ended.signal]),
          ),
        ),
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Calls back when the topic's positions are others than at the last call. */
const makeWhenMoved = (topic: Topic) => {
  let last = '';
  return (positions: Positions, moved: () => void): void => {
    const now = JSON.stringify(positionsIn(positions, [topic]));
    if (now === last) return;
    last = now;
    moved();
  };
};
