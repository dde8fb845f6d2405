/** The projector's thread: log → projections' file. It is the file's only writer. */
import { parentPort, workerData } from 'node:worker_threads';
import { openEventLog } from '../../infra/embedded/event-log.ts';
import { openKeyStore } from '../../infra/embedded/key-store.ts';
import { openProjectionStore } from '../../infra/embedded/projection-store.ts';
import { createProjectionsDatabase } from '../../infra/embedded/projections-database.ts';
import { connectWriter } from '../../infra/embedded/writer.ts';
import type { AccountEvent } from '../../projections/accounts/projection.ts';
import { decodeDocument } from '../../projections/language/codec.ts';
import { makeLanguage } from '../../projections/language/language.ts';
import { makeRecallProjection } from '../../projections/recall/projection.ts';
import { projectUsage } from '../../projections/usage/projection.ts';
import { makeDecode } from '../events.ts';
import { startProjector } from '../projector/projector.ts';
import type { ThreadData, ThreadMessage } from './thread-data.ts';

const { paths, installationKey, table, writer: port, poisonLimits } = workerData as ThreadData;
const say = (message: ThreadMessage): void => parentPort!.postMessage(message);

const writer = connectWriter(port);
const log = openEventLog(paths.log, writer);
const keys = openKeyStore(paths.keys, installationKey, writer);
const store = openProjectionStore(createProjectionsDatabase(paths.projections), decodeDocument);
const language = makeLanguage(new Uint8Array(table));

const projector = startProjector({
  log,
  store,
  decode: makeDecode(keys),
  folds: {
    recall: makeRecallProjection(language),
    usage: projectUsage,
    accounts: event => (event.topic === 'accounts' ? [event as unknown as AccountEvent] : []),
    // Admission reads this store's own file: it has nothing of its own to learn.
    logged: () => [],
  },
  // A revocation must not wait behind turns, and nobody waits for observations.
  topics: ['accounts', 'usage', 'turns', 'observations'],
  onApplied: progress => say({ kind: 'progress', ...progress }),
  limits: poisonLimits,
  onStopped: (reason, limit) => say({ kind: 'stopped', reason, limit }),
  onTrouble: error =>
    say({ kind: 'trouble', message: error instanceof Error ? error.message : 'unknown fault' }),
});

parentPort!.on('message', async message => {
  if (message !== 'close') return;
  await projector.close();
  await store.close();
  await keys.close();
  await log.close();
  say({ kind: 'closed' });
  parentPort!.close();
});
say({ kind: 'ready', positions: await store.positions() });
