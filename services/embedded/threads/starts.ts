import { startWriter } from '../../../infra/embedded/log/writer.ts';
import { connectWriter } from '../../../infra/embedded/log/writer-connection.ts';
import { startFileSearcher } from './file-searcher.ts';
import { prepareThreads } from './prepare.ts';

/**
 * How open.ts starts what does not run in the thread of the calls. The simulator of the tests starts all of
 * it in one thread instead.
 */
export interface Starts {
  startWriter: typeof startWriter;
  connectWriter: typeof connectWriter;
  prepareThreads: typeof prepareThreads;
  startSearcher: typeof startFileSearcher;
}

export const THREADS: Starts = {
  startWriter,
  connectWriter,
  prepareThreads,
  startSearcher: startFileSearcher,
};
