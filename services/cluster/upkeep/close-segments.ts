import type { SharedLog } from '../../../core/ports.ts';

/** Matches no key, since ids of keys are UUIDs: readers of the topic take it for a destroyed key. */
const NAME = 'segments';

/**
 * Appends a tombstone without a key to each partition of the topic `keys`. A broker closes a segment when
 * something is appended after its time, and only a closed one is compacted: without this, the key destroyed
 * last in a partition would stay on its disk until another key is made there.
 */
export const closeSegments = async (log: Pick<SharedLog, 'append'>, partitions: number): Promise<void> => {
  await log.append(
    Array.from({ length: partitions }, (_, partition) => ({
      topic: 'keys' as const,
      key: NAME,
      name: NAME,
      partition,
      value: new Uint8Array(),
    })),
  );
};
