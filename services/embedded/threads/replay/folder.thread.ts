/**
 * Half of a build: reads the log, decodes and folds, and hands batches to the thread that writes them. No
 * caller waits for its results, so it takes large steps and works ahead of the writing thread.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { ALL_WRITTEN } from '../../../../core/ports/projection/projection-store.ts';
import type { Positions, ProjectionStore } from '../../../../core/ports.ts';
import { makeLanguage } from '../../../../domain/language/language.ts';
import { openLogInThread } from '../../../../infra/embedded/log/open-in-thread.ts';
import { makeProjections } from '../../../../projections/all.ts';
import { readSetAside } from '../../../operations/dead-letters/letters.ts';
import { startProjector } from '../../../workers/projector/projector.ts';
import { type Report, troubleOf } from '../../../workers/report.ts';
import type { FolderData } from '../thread-data.ts';
import { packBatch } from './packed-batch.ts';

/** Records per step: a batch of a few megabytes. */
const STEP = 1_000;
/** As a rule: those of a write. */
const EVENTS_OF_A_RECORD = 10;
/** A delayed, throttled build may exceed its rate until it has made up for this much of the delay. */
const MOST_BEHIND_MS = 1_000;
/** Batches that may wait for the writing thread. */
const MOST_AHEAD = 2;

const {
  paths,
  table,
  writer,
  topics,
  positions,
  batches,
  throttle,
  config: { poisonLimits: limits },
} = workerData as FolderData;
const report = (message: Report): void => parentPort!.postMessage(message);

const { log, decode, close: closeLog } = openLogInThread({ paths, writer });

/** The positions after the sent batches, where the projector resumes after a fault. */
const sent: Positions = { ...positions };
let ahead = 0;
let written: (() => void) | undefined;
batches.on('message', () => {
  ahead--;
  written?.();
});
let closing = false;

/**
 * Hands batches to the builder. A batch that the builder can't write ends the build; it is not retried from
 * here.
 */
const store: Pick<ProjectionStore, 'positions' | 'apply' | 'close'> = {
  positions: async () => sent,
  apply: async batch => {
    while (ahead >= MOST_AHEAD && !closing) await new Promise<void>(resolve => (written = resolve));
    if (closing) throw new Error('closing');
    ahead++;
    const { packed, moved } = packBatch(batch);
    batches.postMessage(packed, [moved]);
    Object.assign(sent, batch.positions);
    return ALL_WRITTEN;
  },
  close: async () => {},
};

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
  log,
  store,
  decode,
  projections: makeProjections(makeLanguage(new Uint8Array(table))),
  topics,
  limits,
  setAside: await readSetAside(log),
  // A step is about a second's share of the throttle, so a throttled build makes progress every second.
  stepSize: Math.min(STEP, throttle === undefined ? STEP : Math.ceil(throttle / EVENTS_OF_A_RECORD)),
  pace,
  onApplied: () => {},
  onStopped: ({ reason }) => report({ kind: 'stopped', reason }),
  onTrouble: error => report(troubleOf(error)),
});

parentPort!.on('message', async () => {
  closing = true;
  written?.();
  wakeUp?.();
  await projector.close();
  await closeLog();
  batches.close();
  parentPort!.close();
});
report({ kind: 'ready', positions });
