/**
 * An operator's command as a process of its own: a call of the shared engines, its messages as JSON lines.
 */

import { readConfig } from '../../../core/config.ts';
import { makeLog } from '../../../core/watch/logger.ts';
import { openOffline } from '../../../services/compose/offline.ts';

const [name, args] = process.argv.slice(2);
const read = readConfig(process.env);
if (!read.ok) throw new Error(read.faults.join('\n'));
const operator = await openOffline(read.config, makeLog('warn'));
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
try {
  for await (const message of operator.call(name as 'replay', JSON.parse(args ?? '{}'), stop.signal))
    process.stdout.write(`${JSON.stringify(message)}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ kind: 'failed', message: (error as Error).message })}\n`);
  process.exitCode = 1;
} finally {
  await operator.close();
}
