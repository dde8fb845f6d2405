/**
 * The other half of a build: writes the folders' batches into a new generation's file, a commit per batch.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { decodeDocument } from '../../../../domain/language/vectors/codec.ts';
import {
  BUILD_WAL_BYTES,
  createProjectionsDatabase,
  tuneForBuilding,
} from '../../../../infra/embedded/index/file/create-database.ts';
import { openProjectionStore } from '../../../../infra/embedded/index/file/projection-store.ts';
import { setServedModel } from '../../../../infra/embedded/index/read/search/vector-reader.ts';
import { messageOf, type Report } from '../../../workers/report.ts';
import type { BuilderData, ThreadOrder } from '../thread-data.ts';
import { type PackedBatch, unpackBatch } from './packed-batch.ts';

const { projections, batches, model } = workerData as BuilderData;
const report = (message: Report): void => parentPort!.postMessage(message);

const database = createProjectionsDatabase(projections);
if (model !== undefined) setServedModel(database, model, { isServing: false });
tuneForBuilding(database);
const store = openProjectionStore(database, decodeDocument, { mostWalBytes: BUILD_WAL_BYTES });

let writing: Promise<void> = Promise.resolve();
let closing = false;
for (const port of batches) {
  port.on('message', (packed: PackedBatch) => {
    writing = writing.then(async () => {
      if (closing) return;
      const batch = unpackBatch(packed);
      await store.apply(batch);
      port.postMessage('written');
      report({ kind: 'progress', positions: batch.positions, events: 0 });
    });
    // A failed write ends the build: the positions in the file determine where the next build begins.
    writing.catch(error => report({ kind: 'stopped', reason: messageOf(error) }));
  });
}

parentPort!.on('message', async (order: ThreadOrder) => {
  if (order !== 'close') return;
  closing = true;
  await writing.catch(() => {});
  await store.close();
  for (const port of batches) port.close();
  parentPort!.close();
});
report({ kind: 'ready', positions: await store.positions() });
