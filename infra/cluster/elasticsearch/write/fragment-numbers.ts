import type { FragmentAddress } from '../../../../projections/recall/recall-writes.ts';
import { eventOffsetOf, indexInRecord, recordOffsetOf } from '../../../../schemas/events/event-offset.ts';

/**
 * A double is exact up to 2^53: 7 bits for a part, 8 for the event's index in its record, 38 for the record.
 */
const PART = 2 ** 7;
const INDEX = 2 ** 8;
const RECORDS = 2 ** 38;
const MOST_RECORDS = 2 ** 33;

/**
 * Returns the most records of a partition of turns: 2^33, and beyond 32 partitions their share of 2^38. An
 * index's stored address has room for 2^36 (packed-fragment.ts).
 */
export const mostRecords = (partitions: number): number =>
  Math.min(MOST_RECORDS, Math.floor(RECORDS / partitions));

export interface FragmentNumbers {
  /**
   * Returns a fragment's number, computed from its log address: the same in every process and request, before
   * and after the fragment is indexed, and stored nowhere. Within a partition, numbers ascend in log order.
   * Throws `RangeError` at the bound of a partition: the number would be one of the next partition.
   */
  numberOf(address: FragmentAddress): number;
  /** Returns the event offset of a number's fragment. */
  eventOffsetOfNumber(number: number): number;
}

/** @param partitions of the topic of turns */
export const makeFragmentNumbers = (partitions: number): FragmentNumbers => {
  const most = mostRecords(partitions);
  return {
    numberOf: ({ partition, offset: eventOffset, part }) => {
      const offset = recordOffsetOf(eventOffset);
      if (offset >= most)
        throw new RangeError(`partition ${partition} of turns has more than ${most} records`);
      const record = partition * most + offset;
      if (record >= RECORDS)
        throw new RangeError(`turns has a partition ${partition} and ${partitions} are configured`);
      return (record * INDEX + indexInRecord(eventOffset)) * PART + part;
    },
    eventOffsetOfNumber: number => {
      const event = Math.floor(number / PART);
      return eventOffsetOf({ offset: Math.floor(event / INDEX) % most, index: event % INDEX });
    },
  };
};
