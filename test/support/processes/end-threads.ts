/**
 * Loaded into every thread of a server (`--import`) by tests that end one of them: the thread of a kind
 * throws an error that nobody catches when the file `end-<kind>` appears in the folder that END_THREADS_IN
 * names, once for each file.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread, workerData } from 'node:worker_threads';

const folder = process.env.END_THREADS_IN;

const kindOf = (data: Record<string, unknown>): string | undefined => {
  if ('logPath' in data) return 'writer';
  if ('name' in data) return String(data.name);
  if ('threadDied' in data) return 'projector';
  if ('isBehind' in data) return 'search';
  return undefined;
};

if (!isMainThread && folder !== undefined && workerData !== null) {
  const kind = kindOf(workerData as Record<string, unknown>);
  const file = join(folder, `end-${kind}`);
  if (kind !== undefined)
    setInterval(() => {
      if (!existsSync(file)) return;
      rmSync(file, { force: true });
      throw new Error('ended by a test');
    }, 20).unref();
}
