/**
 * The embedded engines of one data folder, opened in stages: log → threads → generations → readers → tail →
 * consumers. Each stage gets what the earlier ones returned. They are closed in reverse.
 */
import { rmSync } from 'node:fs';
import { unavailable } from '../../core/errors.ts';
import { encodeEvent } from '../../core/log/encode.ts';
import { makeDecode } from '../../core/log/events.ts';
import { type Closers, makeClosers } from '../../core/timing/closers.ts';
import { within } from '../../core/timing/within.ts';
import type { Log } from '../../core/watch/logger.ts';
import { MOST_UNSETTLED } from '../../infra/embedded/admission/admission.ts';
import { openBudgetsFile } from '../../infra/embedded/admission/budgets-file.ts';
import { makeUnsettled, type TailBound } from '../../infra/embedded/admission/unsettled.ts';
import { type DataFolder, openDataFolder } from '../../infra/embedded/data-folder.ts';
import { type DiskRoom, openDiskRoom } from '../../infra/embedded/disk-room.ts';
import { openKeyStore } from '../../infra/embedded/keys/key-store.ts';
import { openEventLog } from '../../infra/embedded/log/event-log.ts';
import { isDamage } from '../../infra/embedded/sqlite-errors.ts';
import { openSureClock } from '../../infra/embedded/sure-clock.ts';
import { makeWebhookDeliveries } from '../../infra/embedded/webhook-deliveries.ts';
import { openEmbeddings } from '../../infra/llm/embeddings.ts';
import { writeSecret } from '../../infra/secrets/files.ts';
import { watchSigningKeys } from '../../infra/secrets/watched-signing-keys.ts';
import { webhookSenderOf } from '../../infra/webhooks/send.ts';
import type { Config } from '../../schemas/config.ts';
import { reportOf } from '../operations/verify/verify.ts';
import { startKeySweep } from '../workers/key-sweep.ts';
import { makeProgress } from '../workers/progress.ts';
import { fillTail } from './catch-up.ts';
import { type EmbeddedEngines, makeEngines, type Reading, type Serving } from './engines.ts';
import { modelOf } from './model.ts';
import { hold, listenToAccounts, openReaders } from './readers.ts';
import { openGenerations } from './replay/generations.ts';
import { makeReplays } from './replay/replay.ts';
import { startConsumers } from './start-consumers.ts';
import type { Threads } from './threads/prepare.ts';
import { reportLoad } from './threads/replay/shared-load.ts';
import { type Starts, THREADS } from './threads/starts.ts';

export type { EmbeddedEngines } from './engines.ts';

const MIB = 1024 * 1024;
/** The most in the tail at the start; with more, the projector catches up first. */
const TAIL_AT_START: TailBound = { events: 5_000, bytes: 32 * 1024 * 1024 };
/**
 * After an upgrade, and until the new generation is built, the tail holds everything since the old one was
 * frozen: ten minutes of 80 writes a second. Beyond it writes are refused.
 */
const MOST_WHILE_FROZEN: TailBound = { events: 50_000, bytes: 128 * 1024 * 1024 };
/** Exit status when the log can't be written any more (EX_SOFTWARE of sysexits.h). */
const NO_WRITER = 70;
/** Calls in flight are answered first, with 503. */
const ANSWERED_WITHIN_MS = 250;
/** How long a change of accounts waits for its projection, which usually takes milliseconds. */
const DECIDED_WITHIN_MS = 30_000;

/** The arguments of every stage. */
interface Start {
  config: Config;
  logger: Log;
  /** Milliseconds to add to the machine's clock. */
  clockOffset: number;
  folder: DataFolder;
  closers: Closers;
  starts: Starts;
}

export const openEngines = async (
  config: Config,
  logger: Log,
  clockOffset: number,
  starts: Starts = THREADS,
): Promise<EmbeddedEngines> => {
  const closers = makeClosers();
  const folder = openDataFolder(config.dataDir, err =>
    logger.error({ err }, 'the installation keys could not be read; they stay as they were'),
  );
  closers.add(() => folder.release());
  const start: Start = { config, logger, clockOffset, folder, closers, starts };
  try {
    rmSync(folder.paths.adminSocket, { force: true });
    const signing = await watchSigningKeys({ dataDir: config.dataDir, file: config.signingKeys }, err =>
      logger.error({ err }, 'the signing keys could not be read; they stay as they were'),
    );
    closers.add(signing.close);
    const log = await openLog(start);
    const threads = openThreads(start, log);
    const buckets = openBudgetsFile(folder.paths.budgets, () => Date.now() + clockOffset);
    closers.add(buckets.close);
    const room = openDiskRoom(config.dataDir, config.diskReserveMb * MIB);
    const serving = await openServing(start, log, threads);
    const reading = openReadModels(start, log, threads, serving, room);
    const tail = fillTail(
      {
        log: log.log,
        decode: log.decode,
        projector: serving.projector,
        mostInTail: () => (reading.isFrozen() ? MOST_WHILE_FROZEN : TAIL_AT_START),
        tail: serving.unsettled,
        isProjected: reading.readers.admission.isBilled,
        isFrozen: reading.isFrozen,
        isDamaged: () => serving.generations.serving().isDamaged,
        closing: closers.signal,
      },
      logger,
    );
    const consumers = startConsumers(start, threads, tail);
    return makeEngines({
      clock: () => Date.now() + clockOffset,
      folder: {
        adminSocket: folder.paths.adminSocket,
        keepApiKey: async apiKey => writeSecret(folder.paths.apiKey, `${apiKey}\n`),
      },
      room,
      sureClock: threads.sureClock,
      buckets,
      secrets: { signingKeys: signing.keys, installation: folder.installationKeys },
      log,
      serving,
      reading,
      tail: { ...tail, atStart: TAIL_AT_START },
      consumers,
      model: modelOf(config, log.log, reading, openEmbeddings),
      webhooks: { send: webhookSenderOf(config), deliveries: makeWebhookDeliveries() },
      threads: {
        exporter: threads.exporter,
        verifyServing: (options, signal) =>
          threads.verify(folder.generations.path(serving.generations.serving().number), options, signal),
      },
      closers,
    });
  } catch (error) {
    await closers.close();
    throw error;
  }
};

/** Stage 1: the writer thread, and the log and keys that use it. */
const openLog = async ({ folder: { paths, installationKeys }, logger, closers, starts }: Start) => {
  const writer = await starts.startWriter({ logPath: paths.log, keysPath: paths.keys }, error => {
    // Nothing can be acknowledged any more. What was is durable, so another process can continue at once.
    logger.fatal({ err: error }, 'the thread that writes the log ended, and the process with it');
    setTimeout(() => process.exit(NO_WRITER), ANSWERED_WITHIN_MS);
  });
  closers.add(() => writer.close());
  const connection = starts.connectWriter(writer.port());
  const log = openEventLog(paths.log, connection);
  const keys = openKeyStore(paths.keys, installationKeys, connection);
  const sweep = startKeySweep(keys, logger);
  closers.add(
    () => log.close(),
    () => keys.close(),
    sweep.close,
  );
  return { writer, log, keys, decode: makeDecode(keys) };
};

type OpenedLog = Awaited<ReturnType<typeof openLog>>;

/** Stage 2: prepares the starts of threads and what they share. */
const openThreads = (
  { config, clockOffset, folder: { paths }, closers, starts }: Start,
  { writer }: OpenedLog,
) => {
  const clock = (): number => Date.now() + clockOffset;
  const sureClock = openSureClock({ path: paths.clock, hours: config.quarantineHours, clock });
  closers.add(sureClock.close);
  const shared = { config, clockOffset, sureClock: sureClock.shared, paths, signal: closers.signal };
  return { ...starts.prepareThreads({ ...shared, connect: writer.port, hold }), sureClock };
};

/**
 * Stage 3: a projector for each generation. The tail releases what the serving generation reports as settled.
 */
const openServing = async (
  { folder: { generations: files }, logger, closers }: Start,
  { log, keys }: OpenedLog,
  { startProjector }: Threads,
): Promise<Serving> => {
  const unsettled = makeUnsettled(keys.isDestroyed);
  const projector = makeProgress('projector', logger);
  projector.listen(unsettled.settle);
  const generations = await openGenerations({ files, log, logger, projector, startProjector, isDamage });
  closers.add(() => generations.close());
  return { unsettled, projector, generations };
};

/** Stage 4: the readers of the serving generation's file, and the replays that switch them to another one. */
const openReadModels = (
  { config, folder: { generations: files }, logger, clockOffset, closers, starts }: Start,
  { log }: OpenedLog,
  threads: Threads,
  { unsettled, projector, generations }: Serving,
  { shortage }: DiskRoom,
): Reading => {
  const isFrozen = (): boolean => generations.serving().isFrozen;
  const readers = openReaders({
    projections: files.path(files.names().serving),
    onDamage: path => generations.damaged(path, 'it can not be read'),
    table: threads.table,
    logger,
    clockOffset,
    rerank: config.rerank,
    hasReader: config.reader === 'yes',
    unsettled,
    startSearcher: starts.startSearcher,
    mostUnsettled: () => (isFrozen() ? MOST_WHILE_FROZEN : MOST_UNSETTLED),
    shortage,
    accounts: {
      log,
      encode: event => encodeEvent(event),
      settled: (partition, offset) =>
        within(
          DECIDED_WITHIN_MS,
          projector.until(positions => (positions[partition] ?? 0) > offset),
          () => unavailable('The projection of accounts stands still.'),
        ),
    },
  });
  listenToAccounts(projector, readers);
  const reporting = reportLoad(threads.load, readers.searcher.eventLoopUtilization, unsettled.size);
  const replays = makeReplays({
    files,
    log,
    logger,
    generations,
    readers,
    startBuild: threads.startBuild,
    verify: (next, signal) => reportOf(threads.verify(files.path(next.number), {}, signal)),
  });
  closers.add(
    readers.close,
    () => clearInterval(reporting),
    // Closed before the others: a promotion under way still needs them.
    () => replays.close(),
  );
  if (isFrozen()) replays.runByItself();
  generations.onDamaged(async () => {
    // The standby is a copy that is whole, if there is one.
    const switched = await generations.rollback(readers).catch(error => {
      logger.error({ err: error }, 'the standby can not serve');
      return undefined;
    });
    if (!switched) replays.runByItself();
  });
  return { readers, replays, isFrozen };
};
