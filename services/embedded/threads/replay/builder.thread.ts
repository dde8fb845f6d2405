/**
 * Half of a build: reads its partitions of the log, decodes, folds and writes them into a new generation's
 * file, in turns with the other half. No caller waits for its results.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { BEHIND_CALLS, lowerPriority } from '../../../../core/threads/low-priority.ts';
import { makeLanguage } from '../../../../domain/language/language.ts';
import { decodeDocument } from '../../../../domain/language/vectors/codec.ts';
import {
  BUILD_WAL_BYTES,
  openDatabaseToBuild,
} from '../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../infra/embedded/index/file/projection-store.ts';
import { setServedModel } from '../../../../infra/embedded/index/read/search/vector-reader.ts';
import { openLogInThread } from '../../../../infra/embedded/log/open-in-thread.ts';
import { makeProjections } from '../../../../projections/all.ts';
import { isStored } from '../../../../projections/recall/recall-writes.ts';
import { readSetAside } from '../../../operations/dead-letters/letters.ts';
import { startProjector } from '../../../workers/projector/projector.ts';
import { type Report, troubleOf } from '../../../workers/report.ts';
import type { BuilderData } from '../thread-data.ts';
import { positionsOfHalf, topicsOf } from './halves.ts';
import { openSharedLock } from './shared-lock.ts';

/** Records per step: a batch of a few megabytes. */
const STEP = 1_000;
/** As a rule: those of a write. */
const EVENTS_OF_A_RECORD = 10;
/** A delayed, throttled build may exceed its rate until it has made up for this much of the delay. */
const MOST_BEHIND_MS = 1_000;

const {
  paths,
  table,
  writer,
  projections,
  half,
  model,
  lock: shared,
  throttle,
  config: { poisonLimits: limits },
} = workerData as BuilderData;
// It takes both cores if nobody else wants them.
lowerPriority(BEHIND_CALLS);
const report = (message: Report): void => parentPort!.postMessage(message);

const { log, decode, close: closeLog } = openLogInThread({ paths, writer });
const isFirst = half === 1;
const database = openDatabaseToBuild(projections, { isFirst });
if (isFirst && model !== undefined) setServedModel(database, model, { isServing: false });
const store = openProjectionStore(database, decodeDocument, {
  mostWalBytes: BUILD_WAL_BYTES,
  isShared: true,
});

let closing = false;
const lock = openSharedLock(shared, half, () => closing);

/**
 * When the events so far are due at the throttled rate. Delays above `MOST_BEHIND_MS` are not made up for.
 */
let due = performance.now();
let wakeUp: (() => void) | undefined;
const pace = async (events: number): Promise<void> => {
  if (throttle === undefined) return;
  due = Math.max(due, performance.now() - MOST_BEHIND_MS) + (events * 1_000) / throttle;
  const early = due - performance.now();
  if (early <= 0 || closing) return;
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, early);
    wakeUp = () => {
      clearTimeout(timer);
      resolve();
    };
  });
};

const projector = startProjector({
  log: { ...log, ends: async () => positionsOfHalf(half, await log.ends()) },
  store: {
    ...store,
    apply: batch =>
      lock.inTurn(
        ({ wrote, removed }) => {
          if (wrote) store.reread({ removed });
          return store.apply(batch);
        },
        batch.recall.some(write => !isStored(write)),
      ),
  },
  decode,
  projections: makeProjections(makeLanguage(new Uint8Array(table))),
  topics: topicsOf(half),
  limits,
  setAside: await readSetAside(log),
  // A step is about a second's share of the throttle, so a throttled build makes progress every second.
  stepSize: Math.min(STEP, throttle === undefined ? STEP : Math.ceil(throttle / EVENTS_OF_A_RECORD)),
  pace,
  onApplied: ({ positions }) => report({ kind: 'progress', positions, events: 0 }),
  onStopped: ({ reason }) => report({ kind: 'stopped', reason }),
  onTrouble: error => report(troubleOf(error)),
});

parentPort!.on('message', async () => {
  closing = true;
  wakeUp?.();
  await projector.close();
  // The other half may still write, and a checkpoint is a write, too.
  await openSharedLock(shared, half, () => false).inTurn(() => store.close(), false);
  await closeLog();
  parentPort!.close();
});
report({ kind: 'ready', positions: await store.positions() });
