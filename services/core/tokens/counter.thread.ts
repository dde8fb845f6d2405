import { parentPort } from 'node:worker_threads';
import { lowerPriority } from '../low-priority.ts';
import { countTokens } from './count.ts';

// Who sends megabytes waits for them; short calls come first.
lowerPriority();

parentPort!.on('message', (texts: readonly string[]) => parentPort!.postMessage(texts.map(countTokens)));
