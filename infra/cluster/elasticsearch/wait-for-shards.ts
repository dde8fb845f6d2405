import type { Elasticsearch } from './client.ts';

const WITHIN_SECONDS = 20;

/**
 * Waits until an index of `shards` primaries that this process or another has just made can be read: who is told that it
 * exists already is told so before its shards are there. The status tells nothing: of a new index it is yellow before
 * that. Throws `unavailable`.
 */
export const untilActive = async (
  elasticsearch: Elasticsearch,
  index: string,
  shards: number,
): Promise<void> => {
  await elasticsearch.ask('GET', `/_cluster/health/${index}`, {
    query: { wait_for_active_shards: shards, timeout: `${WITHIN_SECONDS}s` },
    timeoutMs: (WITHIN_SECONDS + 5) * 1_000,
  });
};
