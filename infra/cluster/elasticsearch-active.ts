import type { Elasticsearch } from './elasticsearch-client.ts';

const WITHIN_SECONDS = 20;

/**
 * Waits until an index that this process or another has just made can be read: who is told that it exists already is told
 * so before its shards are there. Throws `unavailable`.
 */
export const untilActive = async (elasticsearch: Elasticsearch, index: string): Promise<void> => {
  await elasticsearch.ask('GET', `/_cluster/health/${index}`, {
    query: { wait_for_status: 'yellow', timeout: `${WITHIN_SECONDS}s` },
    timeoutMs: (WITHIN_SECONDS + 5) * 1_000,
  });
};
