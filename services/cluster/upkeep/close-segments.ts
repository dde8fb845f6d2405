import type { SharedLog } from '../../../core/ports.ts';

/** Names no key: ids of keys are UUIDs. Readers of the topic take it for a key that was destroyed. */
const NAME = 'segments';

/**
 * Appends a tombstone without a key to each partition of the topic `keys`. A broker closes a segment when something is
 * appended after its time, and only a closed one is compacted: without this, what was destroyed last in a
 * partition would stay on its disk until somebody makes a key there.
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
