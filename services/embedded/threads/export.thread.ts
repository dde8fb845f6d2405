/** The thread that reads and opens what is exported: parts of the log, which may be as long as the log. */
import { parentPort, workerData } from 'node:worker_threads';
import { openKeyStore } from '../../../infra/embedded/keys/key-store.ts';
import { connectWriter, openEventLog } from '../../../infra/embedded/log/event-log.ts';
import { followInstallationKeys } from '../../../infra/secrets/installation-keys.ts';
import { makeDecode } from '../../core/log/events.ts';
import { lowerPriority } from '../../core/low-priority.ts';
import { makeExportChunks } from '../../use-cases/transfer/chunk.ts';
import { messageOf } from '../../workers/report.ts';
import type { ExporterData, ExporterMessage, ExporterReply } from './export.ts';

const { paths, writer: port } = workerData as ExporterData;
// It is busy for as long as somebody exports, and no answer but the export waits for it.
lowerPriority();

const writer = connectWriter(port);
const log = openEventLog(paths.log, writer);
const keys = openKeyStore(paths.keys, followInstallationKeys(paths.installationKeys), writer);
const chunks = makeExportChunks({ log, decode: makeDecode(keys) });

parentPort!.on('message', async (message: ExporterMessage) => {
  if (message === 'close') {
    await keys.close();
    await log.close();
    return parentPort!.close();
  }
  const { number, range } = message;
  let reply: ExporterReply;
  try {
    reply = { number, chunk: await chunks(range) };
  } catch (error) {
    reply = { number, fault: messageOf(error) };
  }
  parentPort!.postMessage(reply);
});
