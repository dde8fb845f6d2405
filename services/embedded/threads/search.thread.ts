/**
 * A recall thread: searches the projections' files. A search takes some milliseconds of CPU time, which the
 * request thread can't spare during writes. On its own thread, neither waits for the other.
 */
import { workerData } from 'node:worker_threads';
import { makeYieldWhenDue } from '../../../core/fairness/yield-when-due.ts';
import { decodeDocument } from '../../../domain/language/vectors/codec.ts';
import { openListing } from '../../../infra/embedded/index/read/lists/listing.ts';
import { openRecallDetails } from '../../../infra/embedded/index/read/recall-details.ts';
import { openAnswersReader } from '../../../infra/embedded/index/read/search/answers-reader.ts';
import { openRetrieval } from '../../../infra/embedded/index/retrieval.ts';
import { isDamage } from '../../../infra/embedded/sqlite-errors.ts';
import { openRerank } from '../../../infra/llm/rerank.ts';
import type { SearchThreadData } from '../../use-cases/recall/searcher.ts';
import { serveSearches } from '../../use-cases/recall/serve-searches.ts';

serveSearches(workerData as SearchThreadData, {
  openIndex: (path, { clock, analyse }) => {
    const reader = openAnswersReader(path, clock);
    return {
      retrieval: openRetrieval({ reader, decodeDocument, analyse, makeYieldWhenDue }),
      details: openRecallDetails(reader),
      listing: openListing(reader, makeYieldWhenDue),
      close: () => reader.close(),
    };
  },
  openRerank,
  unreadable: error => {
    const { code, message = 'unknown fault' } = error as { code?: unknown; message?: string };
    return code === 'ERR_SQLITE_ERROR' ? { unreadable: message, isDamaged: isDamage(error) } : undefined;
  },
});
