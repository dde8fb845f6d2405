/** The thread that reads and opens what is exported: parts of the log, which may be as long as the log. */
import { workerData } from 'node:worker_threads';
import { unavailable } from '../../../core/errors.ts';
import type { ExportChunk } from '../../../core/ports.ts';
import { lowerPriority } from '../../../core/threads/low-priority.ts';
import { serveInThread } from '../../../core/threads/serve-in-thread.ts';
import { openLogInThread } from '../../../infra/embedded/log/open-in-thread.ts';
import { makeExportChunks } from '../../use-cases/transfer/chunk.ts';
import { messageOf } from '../../workers/report.ts';
import type { ExportedRange, ExporterData } from './file-exporter.ts';

const { paths, writer } = workerData as ExporterData;
// It is busy for as long as somebody exports, and no answer but the export waits for it.
lowerPriority();

const { log, decode, close: closeLog } = openLogInThread({ paths, writer });
const chunks = makeExportChunks({ log, decode });

serveInThread<ExportedRange, ExportChunk>({
  answer: range =>
    chunks(range).catch(error => {
      throw unavailable("The log can't be read right now.", messageOf(error));
    }),
  close: closeLog,
});
