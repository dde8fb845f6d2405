import { lowerPriority } from '../threads/low-priority.ts';
import { serveInThread } from '../threads/serve-in-thread.ts';
import { countTokens } from './count.ts';

// Short calls come first; a call with megabytes waits for its tokens.
lowerPriority();

serveInThread<readonly string[], readonly number[]>({ answer: texts => texts.map(countTokens) });
