import { unavailable } from '../../../../core/errors.ts';
import type { Elasticsearch } from '../elasticsearch-client.ts';

/** Deleting years of a user's turns is slow, and one batch may need all of this time. */
const TIMEOUT_MS = 120_000;
/**
 * Documents that are deleted together: the most that one search returns. The engine's default is a thousand.
 */
const AT_ONCE = 10_000;
/** Attempts when the same documents are being written concurrently. */
const TRIES = 5;

/**
 * Deletes the documents that are visible and match; they are gone from searches when it resolves.
 *
 * @param most documents to delete; there may be more of them
 * @returns how many it deleted
 */
export const deleteMatching = async (
  elasticsearch: Pick<Elasticsearch, 'ask'>,
  index: string,
  query: object,
  most?: number,
): Promise<number> => {
  let deleted = 0;
  for (let tries = 0; tries < TRIES; tries++) {
    const {
      error,
      version_conflicts: conflicts,
      deleted: now = 0,
      failures = [],
    } = await elasticsearch.ask<{
      error?: object;
      version_conflicts?: number;
      deleted?: number;
      failures?: unknown[];
    }>('POST', `/${index}/_delete_by_query`, {
      query: {
        conflicts: 'proceed',
        refresh: true,
        scroll_size: AT_ONCE,
        ...(most !== undefined && { max_docs: most }),
      },
      body: { query },
      timeoutMs: TIMEOUT_MS,
      accepted: [404],
    });
    // The generation was removed.
    if (error) return deleted;
    deleted += now;
    if (failures.length > 0) break;
    if (conflicts === 0) return deleted;
  }
  throw unavailable("Elasticsearch can't delete right now.");
};
