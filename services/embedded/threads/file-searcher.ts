import { threadFile } from '../../../core/threads/file.ts';
import { type Searcher, type SearcherOptions, startSearcher } from '../../use-cases/recall/searcher.ts';

/**
 * Concurrent searches, each in its own thread and each of another organization, so that one that asks long
 * questions takes no processor from another. The others wait in this thread, where a tail is not copied yet.
 */
const AT_ONCE = 2;
/** Part of some searches is then a wait for the reader, or most of each for the model: the thread is free. */
const AT_ONCE_WITH_READER = 4;
const AT_ONCE_WITH_RERANK = 8;
const MOST_WAITING = 512;

const atOnce = ({ rerank, hasReader }: Pick<SearcherOptions, 'rerank' | 'hasReader'>): number => {
  if (rerank) return AT_ONCE_WITH_RERANK;
  return hasReader ? AT_ONCE_WITH_READER : AT_ONCE;
};

/** Searches the projections' files; an index is named by its path. */
export const startFileSearcher = (
  options: Omit<SearcherOptions, 'file' | 'data' | 'limits' | 'queue'>,
): Searcher =>
  startSearcher({
    ...options,
    file: threadFile(import.meta.url, 'search'),
    // Searches of the longest turns leave 90 MB. V8 lets garbage grow with the limit: to 380 MB at 4,096 MB;
    // at 256 MB one search in seven met a collection.
    limits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 24 },
    queue: { atOnce: atOnce(options), mostWaiting: MOST_WAITING },
  });
