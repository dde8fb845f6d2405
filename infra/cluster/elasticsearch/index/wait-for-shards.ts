import type { Elasticsearch } from '../elasticsearch-client.ts';

const WITHIN_SECONDS = 20;

/**
 * Waits until a new index of `shards` primaries is readable. A process that finds the index already created
 * may see it before its shards start. The health status proves nothing: a new index is yellow even before
 * that. Throws `unavailable`.
 */
export const waitForShards = async (
  elasticsearch: Elasticsearch,
  index: string,
  shards: number,
): Promise<void> => {
  await elasticsearch.ask('GET', `/_cluster/health/${index}`, {
    query: { wait_for_active_shards: shards, timeout: `${WITHIN_SECONDS}s` },
    timeoutMs: (WITHIN_SECONDS + 5) * 1_000,
  });
};
