import { lowerPriority } from '../threads/low-priority.ts';
import { serveInThread } from '../threads/serve.ts';
import { countTokens } from './count.ts';

// Counting megabytes may take long; short calls come first.
lowerPriority();

serveInThread<readonly string[], readonly number[]>({ answer: texts => texts.map(countTokens) });
