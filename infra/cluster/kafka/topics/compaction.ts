/**
 * How soon a destroyed key leaves the brokers' disks. A tombstone removes its key once the segments of both
 * are closed and the cleaner has passed. A segment is closed at the first append after `LAG_MS`
 * (services/cluster/upkeep/close-segments.ts makes one); the cleaner then takes it, whatever share it would
 * remove.
 */
import { HOUR_MS } from '../../../../core/time.ts';

const LAG_MS = 6 * HOUR_MS;
/** Long enough for every reader of the topic to see a tombstone, which contains nothing but an id. */
const TOMBSTONE_MS = 24 * HOUR_MS;

interface Demand {
  /** The value that `migrate` sets. */
  value: string;
  /** Returns whether another value serves as well. */
  isRight: (value: string) => boolean;
}

const atMost = (most: number): Demand => ({
  value: String(most),
  isRight: value => Number(value) <= most,
});

export const COMPACTION: Record<string, Demand> = {
  'max.compaction.lag.ms': atMost(LAG_MS),
  'min.compaction.lag.ms': atMost(0),
  'segment.ms': atMost(LAG_MS),
  'min.cleanable.dirty.ratio': atMost(0.1),
  'delete.retention.ms': atMost(TOMBSTONE_MS),
};
