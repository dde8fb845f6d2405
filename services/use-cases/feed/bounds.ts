import { offsetIn, partitionName, partitionsOf } from '../../../core/log/positions.ts';
import type { EventLog, FeedIndex, Positions } from '../../../core/ports.ts';

/**
 * The offsets up to which a stream may read: everything below is settled, and so is the turn of every
 * observation below. An observation is appended after its turn and to the partition of the same number. So
 * when the observation is seen, its turn is below the current end of the turns' partition; once that end is
 * settled, the observation may be sent.
 */
export const makeBounds = ({
  index,
  log,
}: {
  index: Pick<FeedIndex, 'settled'>;
  log: Pick<EventLog, 'ends'>;
}): (() => Promise<Positions>) => {
  /** By partition: observations below this offset may be sent. */
  const told = new Map<number, number>();
  /** By partition: observations below this offset may be sent once turns are settled up to `turns`. */
  const waiting = new Map<number, { observations: number; turns: number }>();
  /**
   * The highest settled offset of turns by partition; after a switch, the new index may briefly show a little
   * less.
   */
  const highest = new Map<number, number>();

  const settle = (partition: number, turns: number): void => {
    const next = waiting.get(partition);
    if (!next || turns < next.turns) return;
    told.set(partition, Math.max(told.get(partition) ?? 0, next.observations));
    waiting.delete(partition);
  };

  return async () => {
    const settled = await index.settled();
    const turns = (partition: number): number => offsetIn(settled, { topic: 'turns', partition });
    const observations = partitionsOf(settled, 'observations');
    for (const { partition } of observations) settle(partition, turns(partition));
    const more = observations.filter(
      ({ partition, offset }) => !waiting.has(partition) && offset > (told.get(partition) ?? 0),
    );
    if (more.length > 0) {
      const ends = await log.ends();
      for (const { partition, offset } of more) {
        waiting.set(partition, {
          observations: offset,
          turns: offsetIn(ends, { topic: 'turns', partition }),
        });
        settle(partition, turns(partition));
      }
    }
    const bounds: Positions = {};
    for (const { partition, offset } of partitionsOf(settled, 'turns')) {
      highest.set(partition, Math.max(highest.get(partition) ?? 0, offset));
      bounds[partitionName({ topic: 'turns', partition })] = highest.get(partition)!;
    }
    for (const [partition, offset] of told)
      bounds[partitionName({ topic: 'observations', partition })] = offset;
    return bounds;
  };
};
