/** A projector's thread: log → one generation's file. It is the file's only writer. */
import { parentPort, workerData } from 'node:worker_threads';
import { BEHIND_CALLS, lowerPriority } from '../../../core/threads/low-priority.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { openAccountDocuments } from '../../../infra/embedded/accounts/account-documents.ts';
import { openExpiriesFile } from '../../../infra/embedded/admission/expiries-file.ts';
import { createProjectionsDatabase } from '../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../infra/embedded/index/file/projection-store.ts';
import { setServedModel } from '../../../infra/embedded/index/read/search/vector-reader.ts';
import { openLogInThread } from '../../../infra/embedded/log/open-in-thread.ts';
import { openStepFile } from '../../../infra/embedded/step-file.ts';
import { makeExpiryShare } from '../../workers/expiry-share.ts';
import type { Report } from '../../workers/report.ts';
import { projectFile } from './project-file.ts';
import type { ProjectorData, ThreadOrder } from './thread-data.ts';

const data = workerData as ProjectorData;
// Events that wait for it are found in the tail, so calls come first where processors are few.
lowerPriority(BEHIND_CALLS);
const report = (message: Report): void => parentPort!.postMessage(message);

const { close: closeLog, ...log } = openLogInThread(data);
const database = createProjectionsDatabase(data.projections);
const { embeddings, expiriesPerDay } = data.config;
if (embeddings) setServedModel(database, embeddings.models[0]!, { isServing: true });
const store = openProjectionStore(database, decodeDocument, {
  onDamage: page => report({ kind: 'damaged', reason: `page ${page} is not what was written` }),
});
const steps = openStepFile(`${data.projections}-step`);

const accounts = openAccountDocuments(database);
const counts = openExpiriesFile(data.budgets);
const share = makeExpiryShare({
  counts,
  sessions: store.swept.sessions,
  organization: async org => accounts.get('organization', org),
  percent: expiriesPerDay,
});

const projector = await projectFile({ ...data, ...log, store, steps, share, report });

parentPort!.on('message', async (order: ThreadOrder) => {
  if (order !== 'close') return projector.take(order);
  await projector.close();
  counts.close();
  await store.close();
  steps.close();
  await closeLog();
  parentPort!.close();
});
report({ kind: 'ready', positions: await store.positions() });
