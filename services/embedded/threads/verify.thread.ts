/**
 * A verification's thread: it reads a projections' file and the whole log, which must not delay other work.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { lowerPriority } from '../../../core/threads/low-priority.ts';
import { makeLanguage } from '../../../domain/language/language.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { openVerifiableRows } from '../../../infra/embedded/index/read/verify/verifiable-rows.ts';
import { openLogInThread } from '../../../infra/embedded/log/open-in-thread.ts';
import { makeProjections } from '../../../projections/all.ts';
import { makeVerify } from '../../operations/verify/verify.ts';
import type { VerifierData, VerifierMessage } from './verify-file.ts';

const { paths, table, writer, options, clockOffset } = workerData as VerifierData;
lowerPriority();
const say = (message: VerifierMessage): void => parentPort!.postMessage(message);

const { log, decode, close: closeLog } = openLogInThread({ paths, writer });

const verify = makeVerify({
  log,
  decode,
  projections: makeProjections(makeLanguage(new Uint8Array(table))),
  clock: () => Date.now() + clockOffset,
});

try {
  const rows = openVerifiableRows(paths.projections, decodeDocument);
  for await (const message of verify(rows, options)) say({ kind: 'said', message });
  say({ kind: 'ended' });
} catch (error) {
  // Only the message is sent: an error of SQLite or of the code, never a row.
  say({ kind: 'failed', reason: error instanceof Error ? error.message : 'unknown fault' });
} finally {
  await closeLog();
  parentPort!.close();
}
