import { unavailable } from '../../../services/core/errors.ts';
import type { Elasticsearch } from './client.ts';

/** Deleting years of a user's turns is slow, and one batch may need all of this time. */
const TIMEOUT_MS = 120_000;
/** Documents that are deleted together: the most that a search of the engine returns. Its default is a thousand. */
const AT_ONCE = 10_000;
/** Attempts when the same documents are being written concurrently. */
const TRIES = 5;

/** Deletes the documents that are visible and match; they are gone from searches when it resolves. */
export const deleteMatching = async (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  index: string,
  query: object,
): Promise<void> => {
  for (let tries = 0; tries < TRIES; tries++) {
    const {
      error,
      version_conflicts: conflicts,
      failures = [],
    } = await elasticsearch.ask<{ error?: object; version_conflicts?: number; failures?: unknown[] }>(
      'POST',
      `/${index}/_delete_by_query`,
      {
        query: { conflicts: 'proceed', refresh: true, scroll_size: AT_ONCE },
        body: { query },
        timeoutMs: TIMEOUT_MS,
        accepted: [404],
      },
    );
    // The generation was removed.
    if (error) return;
    if (failures.length > 0) break;
    if (conflicts === 0) return;
  }
  throw unavailable("Elasticsearch can't delete right now.");
};
