/** A projector's thread: log → one generation's file. It is the file's only writer. */
import { parentPort, workerData } from 'node:worker_threads';
import { hasReached, positionsIn } from '../../../core/log/positions.ts';
import type { Positions } from '../../../core/ports.ts';
import { BEHIND_CALLS, lowerPriority } from '../../../core/threads/low-priority.ts';
import { makeLanguage } from '../../../domain/language/language.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { openAccountDocuments } from '../../../infra/embedded/accounts/account-documents.ts';
import { openExpiriesFile } from '../../../infra/embedded/admission/expiries-file.ts';
import { countOrganizations } from '../../../infra/embedded/index/file/count-organizations.ts';
import { createProjectionsDatabase } from '../../../infra/embedded/index/file/create-database.ts';
import { diskLeft, isLittle } from '../../../infra/embedded/index/file/disk-left.ts';
import { openProjectionStore } from '../../../infra/embedded/index/file/projection-store.ts';
import { setServedModel } from '../../../infra/embedded/index/read/search/vector-reader.ts';
import { openLogInThread } from '../../../infra/embedded/log/open-in-thread.ts';
import { isDamage } from '../../../infra/embedded/sqlite-errors.ts';
import { openStepFile } from '../../../infra/embedded/step-file.ts';
import { sureInstant } from '../../../infra/embedded/sure-clock.ts';
import { makeProjections, PROJECTED_TOPICS } from '../../../projections/all.ts';
import { readSetAside } from '../../operations/dead-letters/letters.ts';
import { guardSteps } from '../../workers/deadly-steps.ts';
import { startExpiredKeys } from '../../workers/expired-keys.ts';
import { makeExpiryShare } from '../../workers/expiry-share.ts';
import { startExpirySweep } from '../../workers/expiry-sweep.ts';
import { startProjector } from '../../workers/projector/projector.ts';
import { messageOf, type Report, troubleOf } from '../../workers/report.ts';
import type { ProjectorData, ThreadOrder } from './thread-data.ts';

const {
  paths,
  projections,
  table,
  writer,
  config: { poisonLimits, embeddings, expiriesPerDay },
  clockOffset,
  budgets,
  sureClock,
  threadDied,
} = workerData as ProjectorData;
// Events that wait for it are found in the tail, so calls come first where processors are few.
lowerPriority(BEHIND_CALLS);
const report = (message: Report): void => parentPort!.postMessage(message);

const { log, keys, decode, close: closeLog } = openLogInThread({ paths, writer });
const database = createProjectionsDatabase(projections);
if (embeddings) setServedModel(database, embeddings.models[0]!, { isServing: true });
const store = openProjectionStore(database, decodeDocument, {
  onDamage: page => report({ kind: 'damaged', reason: `page ${page} is not what was written` }),
});

const steps = openStepFile(`${projections}-step`);
const guard = guardSteps(steps, threadDied);

let reported: Positions = {};
/**
 * A step may fail after its commit: it is not repeated, and what it has projected is reported when the
 * projector reads where it resumes.
 */
const resumeAt = async (): Promise<Positions> => {
  const positions = await store.positions();
  if (!hasReached(reported, positions)) report({ kind: 'progress', positions, events: 0 });
  reported = { ...positions };
  return positions;
};

const projector = startProjector({
  log,
  store: { ...store, positions: resumeAt },
  decode,
  projections: makeProjections(makeLanguage(new Uint8Array(table))),
  topics: PROJECTED_TOPICS,
  onApplied: applied => {
    Object.assign(reported, applied.positions);
    report({ ...applied, kind: 'progress' });
  },
  limits: poisonLimits,
  organizations: async () => countOrganizations(projections),
  setAside: await readSetAside(log),
  guard: {
    ...guard,
    most: (partition, offset) => (isLittle(diskLeft(projections)) ? 1 : guard.most(partition, offset)),
  },
  onStopped: report,
  onTrouble: error =>
    report(isDamage(error) ? { kind: 'damaged', reason: messageOf(error) } : troubleOf(error)),
});

/**
 * How often it sweeps. Each sweep rewrites the segments that hold expired data; with steady expiry this
 * interval costs a fifteenth of what two seconds would.
 */
const SWEEP_EVERY_MS = 30_000;
/** A file that is behind may know of a retention, and not that it was undone in time. */
const knowsRetentions = async (): Promise<boolean> =>
  hasReached(await store.positions(), positionsIn(await log.ends(), ['accounts']));
const surely = sureInstant(sureClock);
const sweeping = startExpirySweep(
  { sweep: async now => (await knowsRetentions()) && store.sweep(now) },
  { clock: () => Date.now() + clockOffset, upTo: async () => surely(), everyMs: SWEEP_EVERY_MS },
  error => report(troubleOf(error)),
);

const accounts = openAccountDocuments(database);
const expiries = openExpiriesFile(budgets);
const destroying = startExpiredKeys(
  {
    swept: store.swept,
    keys,
    log,
    positions: store.positions,
    clock: () => Date.now() + clockOffset,
    upTo: async () => surely(),
    share: makeExpiryShare({
      counts: expiries,
      sessions: store.swept.sessions,
      organization: async org => accounts.get('organization', org),
      percent: expiriesPerDay,
    }),
  },
  { onHeld: held => report({ kind: 'held back', held }) },
  error => report(troubleOf(error)),
);

parentPort!.on('message', async (order: ThreadOrder) => {
  if (order === 'resume') return projector.resume();
  if (order !== 'close') {
    projector.hold(order.hold).then(positions => report({ kind: 'held', positions }));
    return;
  }
  await projector.close();
  await sweeping.close();
  await destroying.close();
  expiries.close();
  await store.close();
  steps.close();
  await closeLog();
  parentPort!.close();
});
report({ kind: 'ready', positions: await store.positions() });
