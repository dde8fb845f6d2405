import { partitionName, partitionsOf } from '../../../../core/log/positions.ts';
import type { Positions } from '../../../../core/ports.ts';
import type { Began } from '../../../../schemas/events/accounts.ts';

/** The topics with an organization's own events. */
const TOPICS = ['turns', 'observations', 'usage'] as const;

/** The ends of the log at a sign-up, as the event has them: the next offset of each partition, by topic. */
export const beganOf = (ends: Positions): Began => {
  const offsetsOf = (topic: (typeof TOPICS)[number]): number[] => {
    const offsets: number[] = [];
    for (const { partition, offset } of partitionsOf(ends, topic)) offsets[partition] = offset;
    return Array.from(offsets, offset => offset ?? 0);
  };
  return { turns: offsetsOf('turns'), observations: offsetsOf('observations'), usage: offsetsOf('usage') };
};

/**
 * Offsets below which the organization has no events. Partitions that were added since are whole its time.
 */
export const positionsOfBegan = (began: Began | undefined): Positions =>
  Object.fromEntries(
    TOPICS.flatMap(topic =>
      (began?.[topic] ?? []).map((offset, partition) => [partitionName({ topic, partition }), offset]),
    ),
  );
