import { lowerPriority } from '../threads/low-priority.ts';
import { serveInThread } from '../threads/serve.ts';
import { countTokens } from './count.ts';

// Who sends megabytes waits for them; short calls come first.
lowerPriority();

serveInThread<readonly string[], readonly number[]>({ answer: texts => texts.map(countTokens) });
